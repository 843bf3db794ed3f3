package dev.dormouse.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Failure;

/** A step came to an end with an exception. */
public class StepFailure extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    public StepFailure(String step, Failure failure) {
        super(
                ErrorCode.STEP_FAILED,
                "Expected step '" + step + "' to return, but it failed with " + failure.sentence()
                        + " Catch this where the workflow can go on without it.");
        this.failure = failure;
    }

    /** What the step threw, by name and text. */
    public Failure failure() {
        return failure;
    }
}
