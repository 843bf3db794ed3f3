package dev.dormouse;

import dev.dormouse.store.run.RunStatus;
import java.util.EnumSet;
import java.util.Set;

/**
 * The behavior of a start whose workflow id has a closed run. If the id has an open run, that run is returned, except
 * with {@link #REJECT}. Default: {@link #RETURN_CLOSED}.
 */
public enum IdReuse {
    /** Returns the closed run with its result, and starts nothing. The default. */
    RETURN_CLOSED(EnumSet.noneOf(RunStatus.class)),
    /** Starts a new run, unless the closed run completed; then it is returned. */
    START_UNLESS_COMPLETED(EnumSet.of(RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELED)),
    /** Starts a new run. */
    START_NEW(EnumSet.of(
            RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELED)),
    /** Throws {@link WorkflowIdTaken}, even if the existing run is open. */
    REJECT(EnumSet.noneOf(RunStatus.class));

    private final Set<RunStatus> replaces;

    IdReuse(Set<RunStatus> replaces) {
        this.replaces = replaces;
    }

    Set<RunStatus> replaces() {
        return replaces;
    }
}
