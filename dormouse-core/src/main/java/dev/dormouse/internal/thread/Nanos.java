package dev.dormouse.internal.thread;

import java.time.Duration;

/** Durations as nanoseconds. */
public final class Nanos {
    private static final Duration MOST = Duration.ofDays(10_000);

    private Nanos() {}

    /** Never more than can be added to a clock. */
    public static long of(Duration duration) {
        return (duration.compareTo(MOST) > 0 ? MOST : duration.isNegative() ? Duration.ZERO : duration).toNanos();
    }
}
