package dev.dormouse;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Failure;
import java.util.UUID;

/** A run's code threw an exception that it did not catch; the cause is that exception, as it was written down. */
public class WorkflowFailed extends WorkflowException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    WorkflowFailed(String workflowId, UUID runId, Failure failure) {
        super(
                ErrorCode.RUN_FAILED,
                workflowId,
                runId,
                "Expected run " + runId + " of workflow id '" + workflowId + "' to return, but it failed with "
                        + failure.sentence() + " The cause has the whole stack trace.",
                failure.asException());
        this.failure = failure;
    }

    /** What the code threw, by name and text. */
    public Failure failure() {
        return failure;
    }
}
