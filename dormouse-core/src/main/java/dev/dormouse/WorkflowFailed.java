package dev.dormouse;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Failure;
import java.util.UUID;

/**
 * The exception for a run whose code threw an exception. The cause is that exception, as it was recorded. The code is
 * RUN_FAILED.
 */
public class WorkflowFailed extends WorkflowException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    WorkflowFailed(String workflowId, UUID runId, Failure failure) {
        super(
                ErrorCode.RUN_FAILED,
                workflowId,
                runId,
                "Expected run " + runId + " of workflow id '" + workflowId + "' to return, but it failed with "
                        + failure.sentence() + " The cause has the complete stack trace.",
                failure.asException());
        this.failure = failure;
    }

    /** Returns the class name and message of the exception that the code threw. */
    public Failure failure() {
        return failure;
    }
}
