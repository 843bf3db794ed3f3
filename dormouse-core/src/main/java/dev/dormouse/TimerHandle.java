package dev.dormouse;

import dev.dormouse.error.UpdateFailedException;
import java.time.Instant;

/** A named timer of a run, from outside. Thread-safe. */
public interface TimerHandle {

    /**
     * Moves the end of the timer's wait. Returns when the run has applied the change.
     *
     * @throws UpdateFailedException UPDATE_FAILED if the timer's policy forbids it, its wait is over, or the run has no
     *     timer of that name
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the run has closed; NOT_ANSWERED if it does not
     *     respond within a minute
     */
    default void reschedule(Instant wakeUpTime) {
        reschedule(wakeUpTime, "");
    }

    /**
     * Moves the end of the timer's wait, with a reason that {@link UpdatableTimer#changes} returns. Returns when the
     * run has applied the change.
     *
     * @throws UpdateFailedException UPDATE_FAILED if the timer's policy forbids it, its wait is over, or the run has no
     *     timer of that name
     * @throws dev.dormouse.error.DormouseException RUN_CLOSED if the run has closed; NOT_ANSWERED if it does not
     *     respond within a minute
     */
    void reschedule(Instant wakeUpTime, String reason);
}
