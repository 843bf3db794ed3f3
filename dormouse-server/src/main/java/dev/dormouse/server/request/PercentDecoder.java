package dev.dormouse.server.request;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A strict decoder of percent-encoded texts in URLs: bytes that are not UTF-8 are refused, not replaced. */
public final class PercentDecoder {
    private PercentDecoder() {}

    /**
     * Returns the decoded text.
     *
     * @throws IllegalArgumentException if percent signs do not start bytes of UTF-8
     */
    public static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '%') {
                bytes.write(digit(raw, i + 1) * 16 + digit(raw, i + 2));
                i += 2;
            } else {
                bytes.write(raw[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    private static int digit(byte[] raw, int at) {
        int digit = at < raw.length ? Character.digit((char) raw[at], 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("no percent-encoded byte");
        }
        return digit;
    }
}
