package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;

/**
 * The exception for an update that did not succeed: its validator refused it (UPDATE_REJECTED), or its handler threw
 * (UPDATE_FAILED).
 */
public final class UpdateFailed extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    private UpdateFailed(ErrorCode code, String message, Failure failure) {
        super(code, message, failure.asException());
        this.failure = failure;
    }

    static UpdateFailed of(String workflowId, String update, Event.UpdateAnswered answer, Failure why) {
        String what = answer.rejected() ? "was rejected" : "failed";
        return new UpdateFailed(
                answer.rejected() ? ErrorCode.UPDATE_REJECTED : ErrorCode.UPDATE_FAILED,
                "Expected update '" + update + "' of workflow id '" + workflowId + "' to succeed, but it " + what + ": "
                        + why.sentence() + " The run is not affected.",
                why);
    }

    /** Returns the class name and message of the exception that the validator or handler threw. */
    public Failure failure() {
        return failure;
    }
}
