package dev.dormouse.server.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.dormouse.StepDescription;
import dev.dormouse.server.timeline.Timeline;
import dev.dormouse.store.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run with all there is to see.
 *
 * @param steps those that were tried and are not over
 * @param waits what its code waits for; null where no live node could tell
 * @param runs the latest of its workflow id
 * @param signals the names that its type has, where it is registered here
 */
public record RunDetailView(
        @JsonUnwrapped RunView run,
        Map<String, String> memo,
        List<Value> input,
        Optional<Value> result,
        Optional<FailureView> failure,
        List<StepDescription> steps,
        @Nullable List<WaitView> waits,
        List<Relative> children,
        Optional<Relative> parent,
        List<Sibling> runs,
        Timeline timeline,
        Set<String> queries,
        Set<String> signals,
        Set<String> updates) {

    /**
     * A parent or a child.
     *
     * @param status null where it is not known
     */
    public record Relative(String workflowId, UUID runId, Optional<String> type, Optional<RunStatus> status) {}

    /** A run of the same workflow id. */
    public record Sibling(UUID runId, RunStatus status, Instant startedAt) {}
}
