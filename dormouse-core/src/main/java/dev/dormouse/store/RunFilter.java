package dev.dormouse.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list.
 *
 * @param workflowIdPrefix only workflow ids that begin so; null for all
 * @param type only this type; null for all
 * @param statuses only these; empty for all
 * @param workflowsOnly whether to leave out what is no workflow of a user's, see {@link RunKind}
 */
public record RunFilter(
        @Nullable String workflowIdPrefix, @Nullable String type, Set<RunStatus> statuses, boolean workflowsOnly) {
    public static final RunFilter ALL = new RunFilter(null, null, Set.of());

    /** Runs that need somebody's attention: few, and to be found without looking at the others. */
    private static final Set<RunStatus> TROUBLED = Set.of(RunStatus.STUCK, RunStatus.FAILED, RunStatus.TIMED_OUT);

    /** Of all kinds. */
    public RunFilter(@Nullable String workflowIdPrefix, @Nullable String type, Set<RunStatus> statuses) {
        this(workflowIdPrefix, type, statuses, false);
    }

    /** Whether it is for runs that are stuck or have failed, newest first: stores have an index of those. */
    public boolean isForTroubled() {
        return workflowIdPrefix == null && !statuses.isEmpty() && TROUBLED.containsAll(statuses);
    }
}
