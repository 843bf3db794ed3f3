package dev.dormouse.remote.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.ProtocolMessageEnum;
import com.google.protobuf.UnsafeByteOperations;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Conversion of single values: ids, texts, instants, durations and bytes. */
public final class ValueWire {
    private static final int UUID_BYTES = 16;

    private ValueWire() {}

    /** Returns an id as 16 bytes. */
    public static ByteString write(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(UUID_BYTES);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return UnsafeByteOperations.unsafeWrap(bytes.array());
    }

    /**
     * Returns the id in 16 bytes.
     *
     * @throws DormouseException BAD_ARGUMENT if there are more or fewer bytes
     */
    public static UUID readId(ByteString bytes) {
        if (bytes.size() != UUID_BYTES) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected an id of 16 bytes, but got " + bytes.size()
                            + ". Send a UUID, most significant byte first.");
        }
        ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** Returns ids as 16 bytes each. */
    public static List<ByteString> writeIds(Collection<UUID> ids) {
        return all(ids, ValueWire::write);
    }

    /** Returns the ids of a list of 16 bytes each. */
    public static List<UUID> readIds(List<ByteString> ids) {
        return all(ids, ValueWire::readId);
    }

    /**
     * Returns bytes without copying them. The sender does not change them until the message is on its way: a call of
     * the store SPI returns only after that.
     */
    static ByteString bytes(byte[] payload) {
        return UnsafeByteOperations.unsafeWrap(payload);
    }

    /**
     * Returns a text unchanged.
     *
     * @throws DormouseException BAD_ARGUMENT if it contains half of a surrogate pair, which UTF-8 cannot express
     */
    public static String text(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    throw new DormouseException(
                            ErrorCode.BAD_ARGUMENT,
                            "Expected text of whole characters, but the one at " + i + " is half of a surrogate pair.");
                }
                i++;
            }
        }
        return text;
    }

    /** Returns texts unchanged, or throws as {@link #text} does. */
    public static List<String> texts(Collection<String> texts) {
        return all(texts, ValueWire::text);
    }

    /** Returns an instant in microseconds, rounded up. */
    public static long write(Instant instant) {
        return Micros.of(instant);
    }

    /** Returns the instant of a number of microseconds. */
    public static Instant readInstant(long micros) {
        return Micros.toInstant(micros);
    }

    /** Returns instants in microseconds, rounded up. */
    public static List<Long> writeInstants(Collection<Instant> instants) {
        return all(instants, Micros::of);
    }

    /** Returns the instants of numbers of microseconds. */
    public static List<Instant> readInstants(List<Long> micros) {
        return all(micros, Micros::toInstant);
    }

    /** Returns a duration in microseconds, rounded up. A duration that is too long becomes the longest one. */
    public static long write(Duration duration) {
        return Micros.of(duration);
    }

    /** Returns the duration of a number of microseconds. */
    public static Duration readDuration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    /** Returns the results of a conversion, in order. */
    public static <A, B> List<B> all(Collection<A> values, Function<A, B> conversion) {
        return values.stream().map(conversion).toList();
    }

    /**
     * Returns the constant of an enum whose name follows {@code prefix} in the protocol.
     *
     * @throws DormouseException BAD_ARGUMENT if the protocol does not define the value
     */
    static <E extends Enum<E>> E constant(Class<E> type, String prefix, ProtocolMessageEnum value) {
        String name = ((Enum<?>) value).name();
        if (!name.startsWith(prefix)) {
            throw unknown(type.getSimpleName());
        }
        return Enum.valueOf(type, name.substring(prefix.length()));
    }

    static DormouseException unknown(String what) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected a " + what + " of this version of the protocol, but got another one. "
                        + "Use the same version of Dormouse on both sides.");
    }
}
