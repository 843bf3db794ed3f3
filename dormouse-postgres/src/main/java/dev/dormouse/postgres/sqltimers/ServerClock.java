package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Threads;
import java.time.Duration;
import java.time.Instant;

/**
 * The least that the server's clock can show now: its last answer, and what this node's monotonic clock measured since,
 * less what that may be wrong by. So nobody comes too early, which would cost a question in vain.
 *
 * <p>Thread-safe. An answer that shows less than this was on its way for longer, or the server's clock was set back.
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

    /** An answer has come in which the server had stamped with this. */
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

    /** How long ago the last answer came that told something new. */
    synchronized Duration age() {
        return Duration.ofNanos(threads.nanoTime() - nanos);
    }

    /** How long to wait until the server's clock has certainly reached it. */
    Duration until(Instant instant) {
        Instant now = now();
        if (!instant.isAfter(now)) {
            return Duration.ZERO;
        }
        Duration wait = Duration.between(now, instant);
        return wait.plus(wait.dividedBy(threads.accuracy())).plusNanos(1_000);
    }
}
