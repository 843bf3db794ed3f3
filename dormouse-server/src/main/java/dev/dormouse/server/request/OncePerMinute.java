package dev.dormouse.server.request;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A limit of one log line per minute. Thread-safe. */
public final class OncePerMinute {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private boolean isUsed;
    private long last;

    public OncePerMinute(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Returns true at most once per minute. */
    public synchronized boolean isDue() {
        long now = nanos.getAsLong();
        if (isUsed && now - last < MINUTE) {
            return false;
        }
        isUsed = true;
        last = now;
        return true;
    }
}
