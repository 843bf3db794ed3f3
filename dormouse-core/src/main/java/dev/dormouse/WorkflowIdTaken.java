package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.UUID;

/** A start with {@link IdReuse#REJECT} found that its workflow id has a run already. */
public class WorkflowIdTaken extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final UUID runId;

    WorkflowIdTaken(String workflowId, UUID runId) {
        super(
                ErrorCode.WORKFLOW_ID_TAKEN,
                "Expected workflow id '" + workflowId + "' to be unused, but run " + runId
                        + " has it. Use another id, or another IdReuse.");
        this.runId = runId;
    }

    /** The run that has the id. */
    public UUID runId() {
        return runId;
    }
}
