package dev.dormouse.store;

/** Where a run stands. Numbers are stored: they never change their meaning. */
public enum RunStatus {
    /** Not begun, or given back by its node: whoever claims it goes on. */
    PENDING(0),
    /** Executing on the node that holds its lease. */
    RUNNING(1),
    /** In the memory of the node that holds its lease, for a short wait. */
    PARKED(2),
    /** Suspended: nothing but a row, until its alarm or its mail. */
    WAITING(3),
    /** Cannot go on as things are (its code does not match, its history is damaged, it kills its process). */
    STUCK(4),
    COMPLETED(10),
    FAILED(11),
    TERMINATED(12),
    TIMED_OUT(13),
    CANCELED(14),
    /** Goes on as a new run of the same workflow id, which is about to be started in its place. */
    CONTINUED(15);

    private static final RunStatus[] BY_CODE = byCode();

    private final int code;

    RunStatus(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether the run has ended for good. */
    public boolean isClosed() {
        return code >= COMPLETED.code;
    }

    /** Whether mail reaches a workflow id whose current run stands so: it is open, or its successor is to come. */
    public boolean acceptsMail() {
        return !isClosed() || this == CONTINUED;
    }

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
