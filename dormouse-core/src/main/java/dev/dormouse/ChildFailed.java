package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Sentence;
import dev.dormouse.internal.history.Event;

/**
 * The exception that a parent workflow receives when a child workflow ended without a result. If the child failed, the
 * cause is its exception, as it was recorded. The code is CHILD_FAILED.
 */
public final class ChildFailed extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String workflowId;

    ChildFailed(String workflowId, Event end) {
        super(
                ErrorCode.CHILD_FAILED,
                "Expected child '" + workflowId + "' to return, but: " + Sentence.of(end.summary())
                        + " Catch this exception if the workflow can continue without the child.",
                end instanceof Event.RunFailed failed ? failed.failure().asException() : null);
        this.workflowId = workflowId;
    }

    /** Returns the child's workflow id. */
    public String workflowId() {
        return workflowId;
    }
}
