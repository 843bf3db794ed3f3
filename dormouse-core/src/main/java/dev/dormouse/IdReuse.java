package dev.dormouse;

import dev.dormouse.store.RunStatus;
import java.util.EnumSet;
import java.util.Set;

/** What a start does when its workflow id was used before, and that run has closed. An open run is always returned. */
public enum IdReuse {
    /** The default: the closed run is returned with its result, and nothing starts. */
    RETURN_CLOSED(EnumSet.noneOf(RunStatus.class)),
    /** A new run starts, unless the closed one completed: that is returned. */
    START_UNLESS_COMPLETED(EnumSet.of(RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELED)),
    /** A new run starts. */
    START_NEW(EnumSet.of(
            RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELED)),
    /** The start fails with {@link WorkflowIdTaken}, also when the run is open. */
    REJECT(EnumSet.noneOf(RunStatus.class));

    private final Set<RunStatus> replaces;

    IdReuse(Set<RunStatus> replaces) {
        this.replaces = replaces;
    }

    Set<RunStatus> replaces() {
        return replaces;
    }
}
