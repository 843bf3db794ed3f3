package dev.dormouse.internal.thread;

import java.time.Duration;

/** Conversion of durations to nanoseconds. */
public final class Nanos {
    private static final Duration MOST = Duration.ofDays(10_000);

    private Nanos() {}

    /** Returns a duration in nanoseconds: 0 for a negative one, and never more than can be added to a clock. */
    public static long of(Duration duration) {
        return (duration.compareTo(MOST) > 0 ? MOST : duration.isNegative() ? Duration.ZERO : duration).toNanos();
    }
}
