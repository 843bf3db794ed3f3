package dev.dormouse.internal.history;

/**
 * The effect of a child's start if its workflow id has a closed run. A child never replaces or joins an open run. The
 * order is stored.
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
