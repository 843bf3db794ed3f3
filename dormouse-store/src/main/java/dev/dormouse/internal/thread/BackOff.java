package dev.dormouse.internal.thread;

import java.time.Duration;

/** A series of waits before a call is repeated: from 20 ms on, doubling up to a second. Not thread-safe. */
public final class BackOff {
    private static final Duration FIRST = Duration.ofMillis(20);
    private static final Duration LAST = Duration.ofSeconds(1);

    private Duration next = FIRST;

    /** Returns the next wait. */
    public Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(LAST) < 0 ? doubled : LAST;
        return now;
    }

    /** Restarts the series after a success. */
    public void reset() {
        next = FIRST;
    }
}
