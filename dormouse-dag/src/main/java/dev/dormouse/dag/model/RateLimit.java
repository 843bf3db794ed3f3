package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A limit on how many executions of a step begin in a period, over all runs.
 *
 * @param key the path of the value that has its own limit; null for one limit for all
 */
public record RateLimit(
        int number, Duration period, @Nullable Path key) {}
