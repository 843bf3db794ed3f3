package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;

/** A child workflow ended without a result. */
public final class ChildFailed extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String workflowId;

    ChildFailed(String workflowId, Event end) {
        super(
                ErrorCode.CHILD_FAILED,
                "Expected child '" + workflowId + "' to return, but: " + end.summary()
                        + ". Catch this where the workflow can go on without it.");
        this.workflowId = workflowId;
    }

    /** The child's workflow id. */
    public String workflowId() {
        return workflowId;
    }
}
