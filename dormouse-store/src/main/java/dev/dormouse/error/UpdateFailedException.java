package dev.dormouse.error;

/**
 * The exception for an update that did not succeed: its validator refused it (UPDATE_REJECTED), or its handler threw
 * (UPDATE_FAILED). The cause is the exception of the validator or handler, as it was recorded.
 */
public final class UpdateFailedException extends DormouseException {
    private static final long serialVersionUID = 1L;

    private final RecordedException failure;

    /**
     * Creates the exception for a failed update. Dormouse creates it; a test of calling code may, too.
     *
     * @param code UPDATE_REJECTED or UPDATE_FAILED
     * @param failure the exception of the validator or handler
     */
    public UpdateFailedException(ErrorCode code, String message, RecordedException failure) {
        super(code, message, failure);
        this.failure = failure;
    }

    /** Returns the exception of the validator or handler, as it was recorded. */
    public RecordedException failure() {
        return failure;
    }
}
