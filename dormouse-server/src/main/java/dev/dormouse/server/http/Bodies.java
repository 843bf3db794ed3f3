package dev.dormouse.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Reads bodies within a time: who sends a byte now and then would hold a thread for days. */
final class Bodies {
    static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int PART = 8 << 10;

    private Bodies() {}

    /** Up to one byte more than {@code most}, from which it is seen that there are too many. */
    static byte[] read(InputStream in, int most, LongSupplier nanos) throws IOException {
        long began = nanos.getAsLong();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] part = new byte[PART];
        int read = 0;
        while (read >= 0 && body.size() <= most) {
            body.write(part, 0, read);
            read = body.size() > most ? -1 : in.read(part, 0, Math.min(PART, most - body.size() + 1));
            if (nanos.getAsLong() - began > LONGEST.toNanos()) {
                throw new IOException("took too long");
            }
        }
        return body.toByteArray();
    }
}
