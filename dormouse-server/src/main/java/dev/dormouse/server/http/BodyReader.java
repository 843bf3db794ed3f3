package dev.dormouse.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A reader of request bodies with a time limit: without it, a client that sends one byte at a time could hold a thread
 * for days. A client that sends nothing at all is ended by the connection's idle timeout.
 */
final class BodyReader {
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** The limit for clients that have not shown a token yet. */
    static final Duration LONGEST_OF_UNKNOWN = Duration.ofSeconds(5);

    private static final int PART = 8 << 10;

    private BodyReader() {}

    /**
     * Returns the body, at most {@code max + 1} bytes: the extra byte shows that it is too long.
     *
     * @throws IOException if reading takes longer than {@code timeout}
     */
    static byte[] read(InputStream in, int max, Duration timeout, LongSupplier nanos) throws IOException {
        long began = nanos.getAsLong();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] part = new byte[PART];
        int read = 0;
        while (read >= 0 && body.size() <= max) {
            body.write(part, 0, read);
            read = body.size() > max ? -1 : in.read(part, 0, Math.min(PART, max - body.size() + 1));
            if (nanos.getAsLong() - began > timeout.toNanos()) {
                throw new IOException("took too long");
            }
        }
        return body.toByteArray();
    }
}
