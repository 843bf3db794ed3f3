package dev.dormouse.benchmarks.load;

import java.time.Instant;
import java.util.List;

/** Who counts firings, one set of timers after the other: a set is expected when all of the last one have fired. */
public final class FiringBoard {
    private volatile int first;
    private volatile Firings firings = new Firings(List.of());

    /** From now on timers of these instants are counted, the first of which has this number. */
    public Firings expect(int from, List<Instant> due) {
        Firings fresh = new Firings(due);
        first = from;
        firings = fresh;
        return fresh;
    }

    /** A timer has fired. One that fires again after its set is over is of no interest. */
    public void fired(int number) {
        if (number >= first) {
            firings.fired(number - first);
        }
    }
}
