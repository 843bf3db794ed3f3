package dev.dormouse.error;

/**
 * The exception that a waiting call in workflow code throws when its run or scope was cancelled. If the workflow does
 * not catch it, the run ends as cancelled. Cleanup that has to wait belongs in a detached scope. The code is
 * RUN_CANCELLED.
 *
 * <p>It is not an {@link ActivityFailedException}, even if the waiting call is an activity: code that catches only
 * activity failures does not see a cancellation.
 */
public final class CancelledException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * Creates the exception for a cancelled call. Dormouse creates it; a test of workflow code may, too.
     *
     * @param reason the reason that the caller gave for the cancellation
     */
    public CancelledException(String reason) {
        super(
                ErrorCode.RUN_CANCELLED,
                "Expected the call to complete, but it was cancelled: " + Sentence.of(reason)
                        + " If cleanup has to wait, use a detached CancellationScope.");
        this.reason = reason;
    }

    /** Returns the reason that the caller gave for the cancellation. */
    public String reason() {
        return reason;
    }
}
