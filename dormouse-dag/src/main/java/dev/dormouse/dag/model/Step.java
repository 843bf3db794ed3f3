package dev.dormouse.dag.model;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step of a DAG.
 *
 * @param after the ids of its predecessors
 * @param input its input; null for the run's input and the outputs of its predecessors
 * @param skipIf the condition under which it is skipped; null for never
 * @param timeout the maximum duration of all attempts together; null for no timeout
 * @param retry its retry policy; null for that of the node
 * @param onFailure the step that replaces it when it fails; null for none
 * @param compensate the step that compensates it when the run fails; null for none
 * @param rate its rate limit; null for none
 * @param concurrency the maximum number of concurrent executions, over all runs; 0 for no limit
 */
public record Step(
        String id,
        Action action,
        List<String> after,
        @Nullable Template input,
        @Nullable Condition skipIf,
        @Nullable Duration timeout,
        @Nullable RetryPolicy retry,
        @Nullable String onFailure,
        @Nullable String compensate,
        @Nullable RateLimit rate,
        int concurrency) {

    /** Returns true if the step is executed through a queue, which enforces its limits. */
    public boolean isLimited() {
        return rate != null || concurrency > 0;
    }

    /** Returns all paths that the step reads. */
    List<Path> paths() {
        List<Path> all = new ArrayList<>(action.paths());
        Optional.ofNullable(input).ifPresent(template -> all.addAll(template.paths()));
        Optional.ofNullable(skipIf).ifPresent(condition -> all.addAll(condition.paths()));
        Optional.ofNullable(rate).map(RateLimit::key).ifPresent(all::add);
        return all;
    }

    /** Returns the steps whose outputs this step may read. */
    public Set<String> reads() {
        boolean getsAll = action.isWork() || action instanceof Action.Approval approval && approval.ask() != null;
        Set<String> read = new LinkedHashSet<>(input == null && getsAll ? after : List.of());
        paths().forEach(path -> path.step().ifPresent(read::add));
        return read;
    }
}
