package dev.dormouse.dag.model;

import dev.dormouse.dag.data.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many of a step may begin in a period, over all runs.
 *
 * @param key where the data says whose limit it is; null for one limit for all
 */
public record RateLimit(
        int number, Duration period, @Nullable Path key) {}
