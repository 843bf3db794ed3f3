package dev.dormouse;

import dev.dormouse.error.WorkflowIdTakenException;

/**
 * The behavior of a start whose workflow id has a closed run. If the id has an open run, that run is returned, except
 * with {@link #REJECT}. Default: {@link #RETURN_CLOSED}.
 */
public enum IdReuse {
    /** Returns the closed run with its result, and starts nothing. The default. */
    RETURN_CLOSED,
    /** Starts a new run, unless the closed run completed; then it is returned. */
    START_UNLESS_COMPLETED,
    /** Starts a new run. */
    START_NEW,
    /** Throws {@link WorkflowIdTakenException}, even if the existing run is open. */
    REJECT;
}
