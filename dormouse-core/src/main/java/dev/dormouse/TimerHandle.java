package dev.dormouse;

import java.time.Instant;

/** A named timer of a run, from outside. */
public interface TimerHandle {

    /**
     * Moves the end of its wait; returns when the run has done so.
     *
     * @throws UpdateFailed when its policy forbids it, its wait is over, or there is no timer of that name
     */
    default void reschedule(Instant wakeUpTime) {
        reschedule(wakeUpTime, "");
    }

    /** The same, with a reason for {@link UpdatableTimer#changes}. */
    void reschedule(Instant wakeUpTime, String reason);
}
