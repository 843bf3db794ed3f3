package dev.dormouse.internal.thread;

import java.time.Duration;

/** How long to wait before asking again: twice as long each time, up to a second. */
public final class BackOff {
    private static final Duration FIRST = Duration.ofMillis(20);
    private static final Duration LAST = Duration.ofSeconds(1);

    private Duration next = FIRST;

    public Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(LAST) < 0 ? doubled : LAST;
        return now;
    }

    public void reset() {
        next = FIRST;
    }
}
