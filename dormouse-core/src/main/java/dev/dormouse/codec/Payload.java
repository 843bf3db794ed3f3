package dev.dormouse.codec;

import java.util.Arrays;

/**
 * A value as bytes, with a tag that tells how they are encoded. Treat the bytes as immutable.
 *
 * @param encoding such as {@code json}; empty for {@link #NOTHING}
 */
public record Payload(String encoding, byte[] bytes) {
    /** What a method without a result returns. */
    public static final Payload NOTHING = new Payload("", new byte[0]);

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && encoding.equals(that.encoding) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * encoding.hashCode() + Arrays.hashCode(bytes);
    }

    /** Without the content, which has no place in messages and logs. */
    @Override
    public String toString() {
        return encoding.isEmpty() ? "nothing" : encoding + " of " + bytes.length + " bytes";
    }
}
