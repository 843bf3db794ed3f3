package dev.dormouse.internal.run;

import dev.dormouse.internal.run.StepTransition.Cause;

/**
 * The state of a step. It changes only by {@link #to}, which refuses every change that {@link StepTransition} does not
 * declare.
 *
 * <p>A step has a recorded state ({@link StepCall.Standing}), which replay rebuilds from the history. The node that
 * executes it also tracks the state of the attempt, from {@link #EXECUTING} to {@link #ENDED}. These states are never
 * stored.
 */
public enum StepState {
    /** The code has called the step, and no attempt has ended. */
    REQUESTED,
    /** An attempt has failed, and the next one starts at an instant. */
    BACKING_OFF,
    /** The attempt has paused, and continues at an instant. */
    PAUSED,
    /** An attempt executes. */
    EXECUTING,
    /** An attempt executes, and waits until its token is committed. */
    HANDING_OUT,
    /** An attempt executes, and the holder of its token may complete the step. */
    EXECUTING_HANDED_OUT,
    /** An attempt has returned, and the holder of its token completes the step. */
    HANDED_OUT,
    /** The holder of the token has reported a failure, and the retry policy has not decided yet. */
    REPORTED,
    /** The code no longer waits for the step. An attempt may still execute. */
    ABANDONED,
    /** An attempt has ended, and the code has not taken its end. */
    ENDED,
    /** The code has the result. */
    COMPLETED,
    /** The code has the failure of the last attempt. */
    FAILED;

    /**
     * Returns {@code next}, to which the state changes.
     *
     * @throws IllegalStateException if {@link StepTransition#TABLE} does not have this transition
     */
    public StepState to(StepState next, Cause cause) {
        StepTransition.check(this, next, cause);
        return next;
    }

    /** Returns true if an attempt will start, now or at an instant. */
    public boolean isDue() {
        return this == REQUESTED || this == BACKING_OFF || this == PAUSED;
    }

    /** Returns true if the code has the result or the failure. */
    public boolean isOver() {
        return this == COMPLETED || this == FAILED;
    }
}
