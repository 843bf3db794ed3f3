package dev.dormouse.error;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The exception for a run that ended without a result. {@link #code()} is RUN_FAILED, RUN_TERMINATED, RUN_TIMED_OUT or
 * RUN_CANCELLED.
 */
public class WorkflowException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String workflowId;
    private final UUID runId;

    /** Creates the exception for a run without a result. Dormouse creates it; a test of calling code may, too. */
    public WorkflowException(ErrorCode code, String workflowId, UUID runId, String message) {
        this(code, workflowId, runId, message, null);
    }

    WorkflowException(
            ErrorCode code, String workflowId, UUID runId, String message, @Nullable RecordedException cause) {
        super(code, message, cause);
        this.workflowId = workflowId;
        this.runId = runId;
    }

    /** Returns the workflow id of the run. */
    public String workflowId() {
        return workflowId;
    }

    /** Returns the id of the run. */
    public UUID runId() {
        return runId;
    }
}
