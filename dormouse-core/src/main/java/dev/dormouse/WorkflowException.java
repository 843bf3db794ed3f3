package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.RecordedException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run came to an end without a result; {@link #code()} tells how. */
public class WorkflowException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String workflowId;
    private final UUID runId;

    WorkflowException(ErrorCode code, String workflowId, UUID runId, String message) {
        this(code, workflowId, runId, message, null);
    }

    WorkflowException(
            ErrorCode code, String workflowId, UUID runId, String message, @Nullable RecordedException cause) {
        super(code, message, cause);
        this.workflowId = workflowId;
        this.runId = runId;
    }

    public String workflowId() {
        return workflowId;
    }

    public UUID runId() {
        return runId;
    }
}
