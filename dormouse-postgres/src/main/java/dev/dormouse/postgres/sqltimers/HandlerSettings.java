package dev.dormouse.postgres.sqltimers;

import dev.dormouse.RetryPolicy;
import dev.dormouse.internal.run.StepPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The settings for handler calls.
 *
 * @param lease the time after which another node takes over from one that died
 * @param atOnce the maximum number of concurrent handlers of this node
 * @param retry when a handler that threw is called again
 */
record HandlerSettings(Duration lease, int atOnce, RetryPolicy retry) {
    static final HandlerSettings DEFAULT = new HandlerSettings(
            Duration.ofSeconds(30),
            16,
            RetryPolicy.DEFAULT.withMaxInterval(Duration.ofMinutes(5)).withMaxAttempts(20));

    HandlerSettings lease(Duration value) {
        return new HandlerSettings(value, atOnce, retry);
    }

    HandlerSettings atOnce(int value) {
        return new HandlerSettings(lease, value, retry);
    }

    HandlerSettings retry(RetryPolicy value) {
        return new HandlerSettings(lease, atOnce, value);
    }

    /** Returns the pause before the next attempt; empty if there is none. */
    Optional<Duration> pause(int attempt, Throwable problem, Duration sinceDue) {
        StepPolicy policy = new StepPolicy(
                retry.initialInterval(),
                retry.backoffCoefficient(),
                retry.maxInterval(),
                retry.jitter(),
                retry.maxAttempts(),
                retry.maxDuration().orElse(null),
                retry.nonRetryable(),
                null,
                null,
                null);
        return Optional.ofNullable(policy.retryIn(
                attempt, problem, sinceDue, ThreadLocalRandom.current().nextDouble()));
    }
}
