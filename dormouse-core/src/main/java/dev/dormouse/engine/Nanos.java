package dev.dormouse.engine;

import java.time.Duration;

/** Durations as nanoseconds. */
final class Nanos {
    private static final Duration MOST = Duration.ofDays(10_000);

    private Nanos() {}

    /** Never more than can be added to a clock. */
    static long of(Duration duration) {
        return (duration.compareTo(MOST) > 0 ? MOST : duration.isNegative() ? Duration.ZERO : duration).toNanos();
    }
}
