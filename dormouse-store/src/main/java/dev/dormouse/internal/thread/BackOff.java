package dev.dormouse.internal.thread;

import java.time.Duration;

/** A series of waits, each twice as long as the one before, up to a longest wait. Not thread-safe. */
public final class BackOff {
    private final Duration first;
    private final Duration last;
    private Duration next;

    /** Creates the series of waits before a call is repeated: from 20 ms up to a second. */
    public BackOff() {
        this(Duration.ofMillis(20), Duration.ofSeconds(1));
    }

    public BackOff(Duration first, Duration last) {
        this.first = first;
        this.last = last;
        this.next = first;
    }

    /** Returns the next wait. */
    public Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(last) < 0 ? doubled : last;
        return now;
    }

    /** Restarts the series. */
    public void reset() {
        next = first;
    }
}
