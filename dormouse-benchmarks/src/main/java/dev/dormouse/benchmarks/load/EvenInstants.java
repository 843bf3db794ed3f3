package dev.dormouse.benchmarks.load;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Evenly spaced instants in whole milliseconds, because some engines have no finer resolution. */
public final class EvenInstants {
    private EvenInstants() {}

    public static List<Instant> of(Instant first, int number, Duration over) {
        List<Instant> instants = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            instants.add(first.plus(over.multipliedBy(i).dividedBy(number)).truncatedTo(ChronoUnit.MILLIS));
        }
        return instants;
    }
}
