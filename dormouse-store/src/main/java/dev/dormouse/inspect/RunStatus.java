package dev.dormouse.inspect;

/** The status of a run. The numbers are stored: they never change their meaning. */
public enum RunStatus {
    /** Not begun, or released by its node: the node that claims it continues it. */
    PENDING(0),
    /** Executing on the node that holds its lease. */
    RUNNING(1),
    /** In the memory of the node that holds its lease, for a short wait. */
    PARKED(2),
    /** Suspended: only a row, until its alarm passes or mail arrives. */
    WAITING(3),
    /** Not able to continue: its code does not match, its history is damaged, or it crashes its process. */
    STUCK(4),
    /** Ended with a result: its code returned. */
    COMPLETED(10),
    /** Ended without a result: its code threw an exception. */
    FAILED(11),
    /** Ended by an operator or another workflow, without any further execution of its code. */
    TERMINATED(12),
    /** Ended because its execution timeout expired. */
    TIMED_OUT(13),
    /** Ended because it was cancelled, and its code did not catch the cancellation. */
    CANCELLED(14),
    /** Continued as a new run of the same workflow id, which is about to be started in its place. */
    CONTINUED(15);

    private static final RunStatus[] BY_CODE = byCode();

    private final int code;

    RunStatus(int code) {
        this.code = code;
    }

    /** Returns the number under which stores keep the status. */
    public int code() {
        return code;
    }

    /** Returns true if the run has ended. */
    public boolean isClosed() {
        return code >= COMPLETED.code;
    }

    /**
     * Returns true if a workflow id accepts mail while its current run has this status: the run is open, or its
     * successor will follow.
     */
    public boolean acceptsMessages() {
        return !isClosed() || this == CONTINUED;
    }

    /**
     * Returns the status that stores keep under a number.
     *
     * @throws IllegalArgumentException if no status has this number
     */
    public static RunStatus of(int code) {
        RunStatus status = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (status == null) {
            throw new IllegalArgumentException("Expected the code of a run status, but got " + code + ".");
        }
        return status;
    }

    private static RunStatus[] byCode() {
        RunStatus[] table = new RunStatus[CONTINUED.code + 1];
        for (RunStatus status : values()) {
            table[status.code] = status;
        }
        return table;
    }
}
