package dev.dormouse;

import dev.dormouse.error.TimerRefusedException;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A wait whose end can be moved while it lasts, by a handler of the workflow or, if it has a name, from outside with
 * {@link WorkflowHandle#timer}. A change takes effect at once and costs nothing later: the run has one alarm, however
 * often its end is moved. Created by {@link Workflow#newUpdatableTimer}. Not thread-safe: only the coroutines of its
 * run may use it.
 *
 * <p>A change before the first wait is kept, and overrides that wait's argument. A change after the wait is over is
 * refused.
 */
public interface UpdatableTimer {

    /**
     * Sleeps until {@code wakeUpTime}, or until the instant to which the timer was moved. Returns at once if that
     * instant has passed.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE if another coroutine waits on this timer;
     *     BAD_ARGUMENT if {@code wakeUpTime} is null
     */
    void sleepUntil(Instant wakeUpTime);

    /**
     * Waits until the condition holds. Returns false if the deadline, which may have been moved, passes first.
     *
     * @throws dev.dormouse.error.CancelledException if the run or the calling scope is cancelled
     * @throws dev.dormouse.error.DormouseException NOT_ALLOWED_HERE if another coroutine waits on this timer;
     *     BAD_ARGUMENT if an argument is null
     */
    boolean await(Instant wakeUpTime, Supplier<Boolean> condition);

    /**
     * Moves the end of the wait. A past instant ends the wait at once, if the policy allows it.
     *
     * @throws TimerRefusedException if the policy forbids it or the wait is over. An update handler that lets it pass
     *     answers with it; for a signal handler it is logged. It is also recorded in {@link #changes}
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the instant;
     *     BAD_ARGUMENT if it is null
     */
    default void updateWakeUpTime(Instant wakeUpTime) {
        updateWakeUpTime(wakeUpTime, "");
    }

    /**
     * Moves the end of the wait, with a reason that {@link #changes} returns. A past instant ends the wait at once, if
     * the policy allows it.
     *
     * @throws TimerRefusedException if the policy forbids it or the wait is over. An update handler that lets it pass
     *     answers with it; for a signal handler it is logged. It is also recorded in {@link #changes}
     * @throws dev.dormouse.error.DormouseException INSTANT_OUT_OF_RANGE if no store can hold the instant;
     *     BAD_ARGUMENT if an argument is null
     */
    void updateWakeUpTime(Instant wakeUpTime, String reason);

    /** Returns the current or last end of the wait; null before the first wait, if the timer was not moved either. */
    @Nullable
    Instant wakeUpTime();

    /** Returns all requested changes, including the refused ones, in order; only the last {@value #KEPT} are kept. */
    List<TimerChange> changes();

    /** The number of changes that are kept. */
    int KEPT = 1_000;
}
