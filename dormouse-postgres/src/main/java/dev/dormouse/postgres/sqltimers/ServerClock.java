package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.time.Instant;

/**
 * The earliest time that the server's clock can show: its last answer plus the time since, by this node's monotonic
 * clock, minus that clock's possible error. So a node never acts too early, which would cost a query in vain.
 *
 * <p>Concurrency: thread-safe; all fields are guarded by the lock of this object. An answer that shows an earlier time
 * was delayed, and is ignored, unless the server's clock was set back by more than a second.
 */
final class ServerClock {
    private static final Duration SET_BACK = Duration.ofSeconds(1);

    private final Threads threads;
    private Instant stamp = Instant.EPOCH;
    private long nanos;

    ServerClock(Threads threads) {
        this.threads = threads;
        this.nanos = threads.nanoTime();
    }

    /** Records the timestamp of an answer that has just arrived. */
    synchronized void observe(Instant shown) {
        Instant believed = now();
        if (shown.isAfter(believed) || shown.isBefore(believed.minus(SET_BACK))) {
            stamp = shown;
            nanos = threads.nanoTime();
        }
    }

    synchronized Instant now() {
        long passed = age().toNanos();
        return stamp.plusNanos(passed - passed / threads.accuracy());
    }

    /** Returns the time since the last answer that advanced this clock. */
    synchronized Duration age() {
        return Duration.ofNanos(threads.nanoTime() - nanos);
    }

    /** Returns how long to wait until the server's clock has certainly reached {@code instant}. */
    Duration until(Instant instant) {
        Instant now = now();
        if (!instant.isAfter(now)) {
            return Duration.ZERO;
        }
        Duration wait = Duration.between(now, instant);
        return wait.plus(wait.dividedBy(threads.accuracy())).plusNanos(1_000);
    }
}
