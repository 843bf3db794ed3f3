package dev.dormouse.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Failure;

/** A step came to an end with an exception. */
public class StepFailure extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final int attempts;

    StepFailure(String step, Failure failure, int attempts) {
        super(ErrorCode.STEP_FAILED, text(step, failure, attempts));
        this.failure = failure;
        this.attempts = attempts;
    }

    /** What happened, and what to do. */
    public static String text(String step, Failure failure, int attempts) {
        return "Expected step '" + step + "' to return, but it failed"
                + (attempts > 1 ? " " + attempts + " times, at last with " : " with ") + failure.sentence()
                + " Catch this where the workflow can go on without it.";
    }

    /** How often it was tried. */
    public int attempts() {
        return attempts;
    }

    /** What the step threw, by name and text. */
    public Failure failure() {
        return failure;
    }
}
