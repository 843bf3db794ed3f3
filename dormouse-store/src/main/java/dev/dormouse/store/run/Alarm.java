package dev.dormouse.store.run;

import java.time.Duration;
import java.time.Instant;

/**
 * The change that a start or commit makes to a run's alarm. A store never writes an alarm that lies before its own
 * clock: an earlier instant becomes now.
 */
public sealed interface Alarm {

    /** The alarm is not changed. */
    record Keep() implements Alarm {}

    /** The alarm is removed. After that only mail wakes the run, or the run is closed. */
    record None() implements Alarm {}

    /** The alarm is set to an instant. An instant in the past counts as now. */
    record At(Instant instant) implements Alarm {}

    /** The alarm is set to {@code delay} after the store's clock. Zero means now. */
    record In(Duration delay) implements Alarm {}

    /** Leaves the alarm unchanged. */
    Alarm KEEP = new Keep();
    /** Removes the alarm. */
    Alarm NONE = new None();
    /** Sets the alarm to the present time of the store's clock, so that the run is due at once. */
    Alarm NOW = new In(Duration.ZERO);
}
