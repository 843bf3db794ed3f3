package dev.dormouse.codec;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into bytes and back; replace it to encrypt or compress. Must be safe for use by many threads. Messages and
 * stack traces of exceptions are encoded too, see {@link #encodesFailures}; ids, names, memos, marks and reasons are not.
 *
 * <p>{@link #decode} gets the type from a registered signature or a class argument, never from the payload.
 */
public interface PayloadCodec {

    /** Throws {@link dev.dormouse.error.DormouseException} PAYLOAD_NOT_SERIALIZABLE for a value it cannot encode. */
    Payload encode(@Nullable Object value);

    /**
     * Encodes a value whose declared type is known, such as {@code List<Shape>}: the class of a list does not tell what its
     * elements are declared as. A codec that wraps another one passes the type on. Default: encodes it without the type.
     *
     * @throws dev.dormouse.error.DormouseException PAYLOAD_NOT_SERIALIZABLE for a value that cannot be encoded
     */
    default Payload encode(@Nullable Object value, Type type) {
        return encode(value);
    }

    /** Throws {@link dev.dormouse.error.DormouseException} PAYLOAD_DOES_NOT_FIT for a payload that is not of the type. */
    @Nullable
    Object decode(Payload payload, Type type);

    /**
     * Returns true if messages and stack traces of exceptions are kept as values of this codec, as texts, and false if they
     * are kept as plain text. Tools without the codec, such as a dashboard, then show the class of an exception only.
     * Default: true, so that nothing of an encrypted store can be read.
     */
    default boolean encodesFailures() {
        return true;
    }
}
