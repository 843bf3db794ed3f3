package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a DAG.
 *
 * @param version counts from 1
 * @param runLimit the maximum number of runs that execute at a time; 0 for no limit
 * @param idempotencyKey the path of the idempotency key in the input; null for none
 * @param singleton true if there is at most one open run
 * @param cancelOn the event that cancels a run; null for none
 * @param runTimeout the maximum duration of a run; null for no timeout
 * @param maxSleep the longest sleep of a step
 * @param output the result of a run; null for the outputs of the last steps
 */
public record DagDefinition(
        String name,
        int version,
        int runLimit,
        @Nullable Path idempotencyKey,
        boolean singleton,
        @Nullable CancelOn cancelOn,
        @Nullable Duration runTimeout,
        Duration maxSleep,
        @Nullable Template output,
        List<Step> steps) {

    /**
     * Returns this definition if it is valid.
     *
     * @throws dev.dormouse.error.DormouseException BAD_DAG with all mistakes
     */
    public DagDefinition checked() {
        DefinitionCheck.of(this).run();
        return this;
    }

    /** The default of {@link #maxSleep}. */
    public static final Duration MAX_SLEEP = Duration.ofDays(365);

    /** A step that sleeps longer logs a warning. */
    public static final Duration LONG_SLEEP = Duration.ofDays(30);
}
