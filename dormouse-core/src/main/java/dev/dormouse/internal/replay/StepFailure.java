package dev.dormouse.internal.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Failure;

/** The failure of a step after its last attempt. */
public class StepFailure extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final int attempts;

    StepFailure(String step, Failure failure, int attempts) {
        super(ErrorCode.STEP_FAILED, text(step, failure, attempts));
        this.failure = failure;
        this.attempts = attempts;
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
