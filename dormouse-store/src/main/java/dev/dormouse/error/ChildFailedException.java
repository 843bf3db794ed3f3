package dev.dormouse.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The exception that a parent workflow receives when a child workflow ended without a result. If the child failed, the
 * cause is its exception, as it was recorded. The code is CHILD_FAILED.
 */
public final class ChildFailedException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String workflowId;
    private final @Nullable RecordedException failure;

    /**
     * Creates the exception for a child without a result. Dormouse creates it; a test of workflow code may, too.
     *
     * @param end the end of the child, as a sentence without a full stop
     * @param failure the exception of the child's code; null if it ended in another way
     */
    public ChildFailedException(String workflowId, String end, @Nullable RecordedException failure) {
        super(
                ErrorCode.CHILD_FAILED,
                "Expected child '" + workflowId + "' to return, but: " + Sentence.of(end)
                        + " Catch this exception if the workflow can continue without the child.",
                failure);
        this.workflowId = workflowId;
        this.failure = failure;
    }

    /** Returns the child's workflow id. */
    public String workflowId() {
        return workflowId;
    }

    /**
     * Returns the exception of the child's code, as it was recorded: its type, message and causes. Empty if the child
     * ended in another way, such as by a cancel.
     */
    public Optional<RecordedException> failure() {
        return Optional.ofNullable(failure);
    }
}
