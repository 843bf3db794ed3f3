package dev.dormouse.codec;

import java.util.Arrays;

/**
 * An encoded value, with a tag that names the encoding. Treat the bytes as immutable.
 *
 * @param encoding the encoding, such as {@code json}; empty for {@link #NOTHING}
 * @param bytes the encoded value, not copied; empty for {@link #NOTHING}
 */
public record Payload(String encoding, byte[] bytes) {
    /** The result of a method without a result. */
    public static final Payload NOTHING = new Payload("", new byte[0]);

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && encoding.equals(that.encoding) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * encoding.hashCode() + Arrays.hashCode(bytes);
    }

    /** Returns the encoding and the size. The content must not appear in messages and logs. */
    @Override
    public String toString() {
        return encoding.isEmpty() ? "nothing" : encoding + " of " + bytes.length + " bytes";
    }
}
