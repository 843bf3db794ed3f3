package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A DAG.
 *
 * @param version counts from 1
 * @param runLimit how many of its runs execute at a time; 0 for any number
 * @param idempotencyKey where the input says which run is meant; null for none
 * @param singleton whether it has one run at a time
 * @param cancelOn the event that cancels a run; null for none
 * @param runTimeout how long a run may take; null for any time
 * @param maxSleep how long a step may sleep
 * @param output what a run returns; null for the outputs of the last steps
 */
public record Definition(
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

    /** Fails with BAD_DAG, and all that is wrong, where it cannot run. */
    public Definition checked() {
        Check.of(this).run();
        return this;
    }

    /** How long a step may sleep if nothing else is said. */
    public static final Duration MAX_SLEEP = Duration.ofDays(365);

    /** A longer sleep is worth a warning. */
    public static final Duration LONG_SLEEP = Duration.ofDays(30);
}
