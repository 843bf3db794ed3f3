package dev.dormouse.internal.replay;

import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Failure;
import org.jspecify.annotations.Nullable;

/** The failure of a step after its last attempt. */
public class StepFailure extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final String step;
    private final int attempts;
    private final @Nullable CancelledException cancelled;

    StepFailure(String step, Failure failure, int attempts) {
        this(step, failure, attempts, null);
    }

    private StepFailure(String step, Failure failure, int attempts, @Nullable CancelledException cancelled) {
        super(ErrorCode.STEP_FAILED, text(step, failure, attempts));
        this.step = step;
        this.failure = failure;
        this.attempts = attempts;
        this.cancelled = cancelled;
    }

    /**
     * Returns the exception for a step that failed after its scope was cancelled: the cancellation alone if the step
     * failed with one, otherwise this failure with the cancellation.
     */
    DormouseException after(CancelledException cancellation) {
        return failure.type().equals(CancelledException.class.getName())
                ? cancellation
                : new StepFailure(step, failure, attempts, cancellation);
    }

    /** Returns the cancellation after which the step failed; null if its scope was not cancelled. */
    public @Nullable CancelledException cancelled() {
        return cancelled;
    }

    /** Returns the message: what happened, and what to do. */
    public static String text(String step, Failure failure, int attempts) {
        return "Expected step '" + step + "' to return, but it failed"
                + (attempts > 1 ? " " + attempts + " times, at last with " : " with ") + failure.sentence()
                + " Catch this exception if the workflow can continue without the result.";
    }

    /** Returns the number of attempts. */
    public int attempts() {
        return attempts;
    }

    /** Returns the recorded exception of the step. */
    public Failure failure() {
        return failure;
    }
}
