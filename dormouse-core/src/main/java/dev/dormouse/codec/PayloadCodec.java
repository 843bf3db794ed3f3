package dev.dormouse.codec;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A conversion of values to bytes and back. Replace it to encrypt or compress. Messages and stack traces of exceptions
 * are encoded too, see {@link #encodesFailures}; ids, names, memos, notes and reasons are not.
 *
 * <p>{@link #decode} gets the type from a registered signature or a class argument, never from the payload.
 *
 * <p>Implementations must be thread-safe.
 */
public interface PayloadCodec {

    /**
     * Encodes a value, which may be null.
     *
     * @return the encoded value; never null, even for a null {@code value}
     * @throws dev.dormouse.error.DormouseException PAYLOAD_NOT_SERIALIZABLE if the value cannot be encoded
     */
    Payload encode(@Nullable Object value);

    /**
     * Encodes a value whose declared type is known, such as {@code List<Shape>}. The class of a list does not show the
     * declared type of its elements. A codec that wraps another one passes the type on. Default: encodes the value
     * without the type.
     *
     * @param value the value; may be null
     * @return the encoded value
     * @throws dev.dormouse.error.DormouseException PAYLOAD_NOT_SERIALIZABLE if the value cannot be encoded
     */
    default Payload encode(@Nullable Object value, Type type) {
        return encode(value);
    }

    /**
     * Decodes a value.
     *
     * @return the value; null if null was encoded
     * @throws dev.dormouse.error.DormouseException PAYLOAD_DOES_NOT_FIT if the payload is not of the type
     */
    @Nullable
    Object decode(Payload payload, Type type);

    /**
     * Returns true if messages and stack traces of exceptions are stored encoded by this codec, and false if they are
     * stored as plain text. If true, tools without the codec, such as a dashboard, show only the class of an exception.
     * Default: true, so that nothing in an encrypted store can be read.
     */
    default boolean encodesFailures() {
        return true;
    }
}
