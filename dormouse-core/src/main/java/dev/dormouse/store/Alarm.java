package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;

/** What becomes of a run's alarm. A store never writes an alarm below its own now. */
public sealed interface Alarm {

    /** Stays as it is. */
    record Keep() implements Alarm {}

    /** None: only mail wakes the run, or it is closed. */
    record None() implements Alarm {}

    /** At an instant; one that has passed counts as now. */
    record At(Instant instant) implements Alarm {}

    /** So long after the store's now; zero is now. */
    record In(Duration delay) implements Alarm {}

    Alarm KEEP = new Keep();
    Alarm NONE = new None();
    Alarm NOW = new In(Duration.ZERO);
}
