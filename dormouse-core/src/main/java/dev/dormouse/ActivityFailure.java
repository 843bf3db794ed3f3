package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Failure;

/**
 * Thrown into workflow code by a step or activity that came to an end with an exception; the cause is that exception, as
 * it was written down.
 */
public class ActivityFailure extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String step;
    private final transient Failure failure;

    ActivityFailure(String step, Failure failure) {
        super(
                ErrorCode.STEP_FAILED,
                "Expected step '" + step + "' to return, but it failed with " + failure.sentence()
                        + " Catch this where the workflow can go on without it.",
                failure.asException());
        this.step = step;
        this.failure = failure;
    }

    /** The name of the step; for an activity {@code Mail.welcome}. */
    public String step() {
        return step;
    }

    /** What it threw, by name and text. */
    public Failure failure() {
        return failure;
    }
}
