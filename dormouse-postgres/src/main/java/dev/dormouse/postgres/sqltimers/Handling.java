package dev.dormouse.postgres.sqltimers;

import dev.dormouse.RetryPolicy;
import dev.dormouse.engine.StepPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How handlers are called.
 *
 * @param lease after how long another node takes over from one that died
 * @param atOnce how many handlers of this node may run at the same time
 * @param retry when one that threw is called again
 */
record Handling(Duration lease, int atOnce, RetryPolicy retry) {
    static final Handling DEFAULT = new Handling(
            Duration.ofSeconds(30),
            16,
            RetryPolicy.DEFAULT.largestInterval(Duration.ofMinutes(5)).attempts(20));

    Handling lease(Duration value) {
        return new Handling(value, atOnce, retry);
    }

    Handling atOnce(int value) {
        return new Handling(lease, value, retry);
    }

    Handling retry(RetryPolicy value) {
        return new Handling(lease, atOnce, value);
    }

    /** How long to wait for the next attempt, if there is to be one. */
    Optional<Duration> pause(int attempt, Throwable problem, Duration sinceDue) {
        StepPolicy policy = new StepPolicy(
                retry.initialInterval(),
                retry.coefficient(),
                retry.largestInterval(),
                retry.jitter(),
                retry.attempts(),
                retry.totalTime().orElse(null),
                retry.nonRetryable(),
                null,
                null,
                null);
        return Optional.ofNullable(policy.retryIn(
                attempt, problem, sinceDue, ThreadLocalRandom.current().nextDouble()));
    }
}
