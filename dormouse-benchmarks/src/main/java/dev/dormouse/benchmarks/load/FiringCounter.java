package dev.dormouse.benchmarks.load;

import java.time.Instant;
import java.util.List;

/**
 * A counter of timer firings, one set of timers after the other: a set is expected after all timers of the last one
 * have fired. Any thread may report firings. One thread calls {@link #expect}, before any timer of the new set is set.
 */
public final class FiringCounter {
    private volatile int first;
    private volatile TimerFirings firings = new TimerFirings(List.of());

    /** Starts to count a new set of timers with these due times, numbered from {@code from}. */
    public TimerFirings expect(int from, List<Instant> due) {
        TimerFirings fresh = new TimerFirings(due);
        first = from;
        firings = fresh;
        return fresh;
    }

    /** Records a firing. Ignores repeated firings of an earlier set. */
    public void fired(int number) {
        if (number >= first) {
            firings.fired(number - first);
        }
    }
}
