package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.history.Event;

/** A child workflow ended without a result; where it failed, the cause is its exception, as it was written down. */
public final class ChildFailed extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String workflowId;

    ChildFailed(String workflowId, Event end) {
        super(
                ErrorCode.CHILD_FAILED,
                "Expected child '" + workflowId + "' to return, but: " + Sentence.of(end.summary())
                        + " Catch this where the workflow can go on without it.",
                end instanceof Event.RunFailed failed ? failed.failure().asException() : null);
        this.workflowId = workflowId;
    }

    /** The child's workflow id. */
    public String workflowId() {
        return workflowId;
    }
}
