package dev.dormouse.internal.engine.time;

import dev.dormouse.internal.thread.Threads;
import java.time.Duration;

/**
 * The decision of when a loop sweeps: on request, and an interval after the last sweep began. The first sweep is due at
 * once.
 *
 * <p>Any thread may call {@link #request}; the other methods are for the loop's thread. Guaranteed: a request during a
 * sweep causes another sweep, because {@link #begin} resets the request before the sweep reads anything.
 */
public final class SweepSchedule {
    private final Threads threads;
    private volatile boolean requested = true;
    private long begun;

    public SweepSchedule(Threads threads) {
        this.threads = threads;
    }

    /** Requests a sweep. The caller wakes the loop. */
    public void request() {
        requested = true;
    }

    /** Records that a sweep begins now. */
    public void begin() {
        requested = false;
        begun = threads.nanoTime();
    }

    public boolean isDue(Duration interval) {
        return untilNext(interval).isZero();
    }

    /** Returns the time until a sweep is due; zero if one is due now. */
    public Duration untilNext(Duration interval) {
        Duration left = interval.minusNanos(threads.nanoTime() - begun);
        return requested || left.isNegative() ? Duration.ZERO : left;
    }
}
