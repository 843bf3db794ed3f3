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
 * @param after the steps that it comes after
 * @param input what it gets; null for the run's input and the outputs of the steps that it comes after
 * @param skipIf when it is left out; null for never
 * @param timeout how long all of it may take; null for any time
 * @param retry how often it is tried; null for what the node says
 * @param onFailure the step that takes its place when it fails; null for none
 * @param compensate the step that undoes it when the run fails; null for none
 * @param rate null for none
 * @param concurrency how many of it execute at a time, over all runs; 0 for any number
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

    /** Whether it waits in a queue. */
    public boolean isLimited() {
        return rate != null || concurrency > 0;
    }

    /** All paths that it looks at. */
    List<Path> paths() {
        List<Path> all = new ArrayList<>(action.paths());
        Optional.ofNullable(input).ifPresent(template -> all.addAll(template.paths()));
        Optional.ofNullable(skipIf).ifPresent(condition -> all.addAll(condition.paths()));
        Optional.ofNullable(rate).map(RateLimit::key).ifPresent(all::add);
        return all;
    }

    /** The steps whose outputs it may look at. */
    public Set<String> reads() {
        boolean getsAll = action.isWork() || action instanceof Action.Approval approval && approval.ask() != null;
        Set<String> read = new LinkedHashSet<>(input == null && getsAll ? after : List.of());
        paths().forEach(path -> path.step().ifPresent(read::add));
        return read;
    }
}
