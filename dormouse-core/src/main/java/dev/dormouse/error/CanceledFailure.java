package dev.dormouse.error;

/**
 * Thrown by a waiting call in workflow code whose run or scope was cancelled. Code that lets it pass ends the run as
 * canceled; clean-up that has to wait belongs into a detached scope. It is not an {@link dev.dormouse.ActivityFailure}, also where the
 * call that waits is an activity: code that catches only those does not see a cancel.
 */
public final class CanceledFailure extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public CanceledFailure(String reason) {
        super(
                ErrorCode.RUN_CANCELED,
                "Expected to go on, but it was cancelled: " + Sentence.of(reason)
                        + " Clean up in a detached CancellationScope if there is need.");
        this.reason = reason;
    }

    /** What whoever cancelled said. */
    public String reason() {
        return reason;
    }
}
