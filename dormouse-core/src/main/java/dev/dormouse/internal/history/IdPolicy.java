package dev.dormouse.internal.history;

/**
 * The treatment of a workflow id whose latest run is closed, when a child is started under it. If that run is open, the
 * start fails. Histories store the ordinal, so never reorder or remove constants.
 */
public enum IdPolicy {
    /** The start is refused. */
    REJECT,
    /** The closed run counts as the child. */
    RETURN_CLOSED,
    /** The closed run counts as the child if it has completed; otherwise a new run replaces it. */
    START_UNLESS_COMPLETED,
    /** A new run replaces it. */
    START_NEW;

    private static final IdPolicy[] VALUES = values();

    static IdPolicy of(int code) {
        return VALUES[code];
    }
}
