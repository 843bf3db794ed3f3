package dev.dormouse.error;

import java.util.UUID;

/**
 * The exception for a start with {@code IdReuse.REJECT} whose workflow id already has a run. The code is
 * WORKFLOW_ID_TAKEN.
 */
public class WorkflowIdTakenException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final UUID runId;

    /** Creates the exception for an id that run {@code runId} has. Dormouse creates it; a test may, too. */
    public WorkflowIdTakenException(String workflowId, UUID runId) {
        super(
                ErrorCode.WORKFLOW_ID_TAKEN,
                "Expected workflow id '" + workflowId + "' to be unused, but run " + runId
                        + " has it. Use another id, or another IdReuse.");
        this.runId = runId;
    }

    /** Returns the run that has the workflow id. */
    public UUID runId() {
        return runId;
    }
}
