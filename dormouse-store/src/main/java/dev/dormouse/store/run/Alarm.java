package dev.dormouse.store.run;

import java.time.Duration;
import java.time.Instant;

/**
 * The change that a start or commit makes to a run's alarm. A store never writes an alarm that lies before its own
 * clock: an earlier instant becomes now.
 */
public sealed interface Alarm {

    /** Leaves the alarm unchanged. */
    record Keep() implements Alarm {}

    /** Removes the alarm. Only mail wakes the run after that, or the run is closed. */
    record None() implements Alarm {}

    /** Sets the alarm to an instant. An instant in the past counts as now. */
    record At(Instant instant) implements Alarm {}

    /** Sets the alarm to {@code delay} after the store's clock. Zero means now. */
    record In(Duration delay) implements Alarm {}

    /** Leaves the alarm unchanged. */
    Alarm KEEP = new Keep();
    /** Removes the alarm. */
    Alarm NONE = new None();
    /** Sets the alarm to the present time of the store's clock, so that the run is due at once. */
    Alarm NOW = new In(Duration.ZERO);
}
