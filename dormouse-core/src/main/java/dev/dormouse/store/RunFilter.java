package dev.dormouse.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list.
 *
 * @param workflowIdPrefix only workflow ids that begin so; null for all
 * @param type only this type; null for all
 * @param statuses only these; empty for all
 */
public record RunFilter(
        @Nullable String workflowIdPrefix, @Nullable String type, Set<RunStatus> statuses) {
    public static final RunFilter ALL = new RunFilter(null, null, Set.of());
}
