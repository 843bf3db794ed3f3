package dev.dormouse.error;

import java.util.UUID;

/**
 * The exception for a run whose code threw an exception. The cause is that exception, as it was recorded. The code is
 * RUN_FAILED.
 */
public class WorkflowFailedException extends WorkflowException {
    private static final long serialVersionUID = 1L;

    private final RecordedException failure;

    /**
     * Creates the exception for a failed run. Dormouse creates it; a test of calling code may, too.
     *
     * @param failure the exception of the run's code
     */
    public WorkflowFailedException(String workflowId, UUID runId, String message, RecordedException failure) {
        super(ErrorCode.RUN_FAILED, workflowId, runId, message, failure);
        this.failure = failure;
    }

    /** Returns the exception of the run's code, as it was recorded: the name of its class, message and causes. */
    public RecordedException failure() {
        return failure;
    }
}
