package dev.dormouse.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Reads bodies within a time: a client that sends a byte at a time would hold a thread for days. A client that sends
 * nothing at all is ended by the connection's idle timeout.
 */
final class BodyReader {
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** For clients that have not shown a token yet. */
    static final Duration LONGEST_OF_UNKNOWN = Duration.ofSeconds(5);

    private static final int PART = 8 << 10;

    private BodyReader() {}

    /** Returns up to one byte more than {@code most}, which shows that there are too many. */
    static byte[] read(InputStream in, int most, Duration longest, LongSupplier nanos) throws IOException {
        long began = nanos.getAsLong();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] part = new byte[PART];
        int read = 0;
        while (read >= 0 && body.size() <= most) {
            body.write(part, 0, read);
            read = body.size() > most ? -1 : in.read(part, 0, Math.min(PART, most - body.size() + 1));
            if (nanos.getAsLong() - began > longest.toNanos()) {
                throw new IOException("took too long");
            }
        }
        return body.toByteArray();
    }
}
