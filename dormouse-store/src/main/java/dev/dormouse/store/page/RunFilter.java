package dev.dormouse.store.page;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.run.RunKind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for lists of runs.
 *
 * @param workflowIdPrefix only workflow ids with this prefix; null for all
 * @param type only this type; null for all
 * @param statuses only these statuses; empty for all
 * @param workflowsOnly true to omit runs that are not workflows of a user, see {@link RunKind}
 */
public record RunFilter(
        @Nullable String workflowIdPrefix, @Nullable String type, Set<RunStatus> statuses, boolean workflowsOnly) {
    /** The filter that selects all runs of all kinds. */
    public static final RunFilter ALL = new RunFilter(null, null, Set.of());

    /** Statuses of runs that need attention: stores find these few runs without scanning the others. */
    private static final Set<RunStatus> TROUBLED = Set.of(RunStatus.STUCK, RunStatus.FAILED, RunStatus.TIMED_OUT);

    /**
     * Creates a filter for runs of all kinds.
     *
     * @param workflowIdPrefix only workflow ids with this prefix; null for all
     * @param type only this type; null for all
     * @param statuses only these statuses; empty for all
     */
    public RunFilter(@Nullable String workflowIdPrefix, @Nullable String type, Set<RunStatus> statuses) {
        this(workflowIdPrefix, type, statuses, false);
    }

    /**
     * Returns true if the filter selects only runs that are stuck, failed or timed out, newest first. Stores have an index
     * for these.
     */
    public boolean isForTroubled() {
        return workflowIdPrefix == null && !statuses.isEmpty() && TROUBLED.containsAll(statuses);
    }
}
