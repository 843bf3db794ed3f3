package dev.dormouse;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A wait whose end can be moved while it lasts, by a handler of the workflow or, if it has a name, from outside with
 * {@link WorkflowHandle#timer}. A change takes effect at once and leaves nothing behind: the run has one alarm, however
 * often its end is moved. Made by {@link Workflow#newUpdatableTimer}; belongs to the run's coroutines.
 *
 * <p>An update before the first wait is kept and wins over that wait's argument. One after the wait is over is refused.
 */
public interface UpdatableTimer {

    /** Sleeps until then, or until whatever it was moved to. One that has passed returns at once. */
    void sleepUntil(Instant wakeUpTime);

    /** Waits until the condition holds; false when the time, which may have been moved, was up first. */
    boolean await(Instant wakeUpTime, Supplier<Boolean> condition);

    /**
     * Moves the end of the wait. An instant that has passed ends it at once, if the policy allows.
     *
     * @throws TimerRefused when the policy forbids it or the wait is over. In an
     *     update that is the answer; in a signal it is noted in {@link #changes} and logged
     */
    default void updateWakeUpTime(Instant wakeUpTime) {
        updateWakeUpTime(wakeUpTime, "");
    }

    /** The same, with a reason for {@link #changes}. */
    void updateWakeUpTime(Instant wakeUpTime, String reason);

    /** When it ends as things are, or ended; null before the first wait if it was not moved either. */
    @Nullable
    Instant wakeUpTime();

    /** All changes that were asked for, the refused ones too, in order; the last {@value #KEPT} of them. */
    List<TimerChange> changes();

    /** How many changes are remembered. */
    int KEPT = 1_000;
}
