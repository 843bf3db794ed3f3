package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The delays between the attempts of a step, and their number. By default a failed step is retried indefinitely, after
 * 1 s, 2 s, 4 s and so on, up to 60 s, each delay randomly shortened or extended by up to a fifth. The delay between
 * two attempts is the run's alarm: it holds no thread, and survives a crash together with the number of attempts. After
 * the last attempt, the workflow receives an {@link ActivityFailedException}. Immutable; start with {@link #DEFAULT} or
 * {@link #NONE}.
 *
 * <p>Each failed attempt is an event in the run's history, which has a limit (50,000 events by default). One attempt
 * per minute reaches it in a month. Use growing delays, or limit the attempts.
 *
 * <p>Some failures are never retried, whatever the policy: permanent errors, such as a result that cannot be
 * serialized, {@link ActivityFailedException#nonRetryable}, and {@link
 * dev.dormouse.error.ApplicationException#nonRetryable}.
 */
public final class RetryPolicy {
    private final Duration initialInterval;
    private final double coefficient;
    private final Duration largestInterval;
    private final double jitter;
    private final int attempts;
    private final Optional<Duration> totalTime;
    private final Set<String> nonRetryable;

    /** The default jitter: calls that fail together are retried apart, and a delay is still recognizable in a log. */
    private static final double DEFAULT_JITTER = 0.2;

    /** A policy that retries indefinitely, after 1 s, 2 s, 4 s and so on, up to 60 s, with a jitter of 0.2. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            Duration.ofSeconds(1), 2, Duration.ofSeconds(60), DEFAULT_JITTER, 0, Optional.empty(), Set.of());

    /** A policy with one attempt only. */
    public static final RetryPolicy NONE = DEFAULT.withMaxAttempts(1);

    private RetryPolicy(
            Duration initialInterval,
            double coefficient,
            Duration largestInterval,
            double jitter,
            int attempts,
            Optional<Duration> totalTime,
            Set<String> nonRetryable) {
        require(
                !required(initialInterval, "an initial interval").isNegative(),
                "an initial interval of zero or more",
                initialInterval);
        require(
                required(largestInterval, "a largest interval").compareTo(initialInterval) >= 0,
                "a largest interval that is not shorter than the initial interval, " + initialInterval,
                largestInterval);
        require(coefficient >= 1 && coefficient <= 1_000, "a coefficient of 1 to 1000", coefficient);
        require(jitter >= 0 && jitter <= 1, "a jitter of 0 to 1", jitter);
        require(attempts >= 0, "1 or more attempts, or 0 for no limit", attempts);
        totalTime.ifPresent(time -> require(!time.isNegative() && !time.isZero(), "a total time above zero", time));
        required(nonRetryable, "a set of exceptions").forEach(RetryPolicy::checkName);
        nonRetryable = Set.copyOf(nonRetryable);
        this.initialInterval = initialInterval;
        this.coefficient = coefficient;
        this.largestInterval = largestInterval;
        this.jitter = jitter;
        this.attempts = attempts;
        this.totalTime = totalTime;
        this.nonRetryable = nonRetryable;
    }

    private static void checkName(String type) {
        require(!required(type, "the name of an exception's class").isBlank(), "names of exceptions", "'" + type + "'");
    }

    private static void require(boolean holds, String what, Object found) {
        if (!holds) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a retry policy with " + what + ", but got " + found + ". Change the policy.");
        }
    }

    /**
     * Returns a copy with a delay after the first failure. If it is longer than the maximum delay, the maximum is
     * raised to it. Default: 1 s.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null or negative
     */
    public RetryPolicy withInitialInterval(Duration value) {
        Duration largest =
                required(value, "an initial interval").compareTo(largestInterval) > 0 ? value : largestInterval;
        return new RetryPolicy(value, coefficient, largest, jitter, attempts, totalTime, nonRetryable);
    }

    /**
     * Returns a copy with a factor by which the delay grows, from 1 to 1,000. Default: 2.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range
     */
    public RetryPolicy withBackoffCoefficient(double value) {
        return new RetryPolicy(initialInterval, value, largestInterval, jitter, attempts, totalTime, nonRetryable);
    }

    /**
     * Returns a copy with a maximum delay. Default: 60 s.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, or shorter than the initial interval
     */
    public RetryPolicy withMaxInterval(Duration value) {
        return new RetryPolicy(initialInterval, coefficient, value, jitter, attempts, totalTime, nonRetryable);
    }

    /**
     * Returns a copy with a random change of delays, as a fraction from 0 to 1. With 0.2, a delay of 10 s is between 8 s
     * and 12 s. Use 0 for exact delays. A delay is drawn once and recorded, so a replay does not change it. Default:
     * 0.2.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range
     */
    public RetryPolicy withJitter(double value) {
        return new RetryPolicy(initialInterval, coefficient, largestInterval, value, attempts, totalTime, nonRetryable);
    }

    /**
     * Returns a copy with a maximum number of attempts, including the first; 0 for no limit. Default: 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is negative
     */
    public RetryPolicy withMaxAttempts(int value) {
        return new RetryPolicy(initialInterval, coefficient, largestInterval, jitter, value, totalTime, nonRetryable);
    }

    /**
     * Returns a copy by which no attempt begins later than {@code value} after the first. Default: no limit.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null or not above zero
     */
    public RetryPolicy withMaxDuration(Duration value) {
        return new RetryPolicy(
                initialInterval,
                coefficient,
                largestInterval,
                jitter,
                attempts,
                Optional.of(required(value, "a total time")),
                nonRetryable);
    }

    /**
     * Returns a copy with one more exception class after which there is no further attempt. Default: none.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null
     */
    public RetryPolicy withNonRetryable(Class<? extends Throwable> type) {
        return withNonRetryable(required(type, "the class of an exception").getName());
    }

    /**
     * Returns a copy with one more exception after which there is no further attempt, by its class name or by the type of
     * an {@link dev.dormouse.error.ApplicationException}. The class need not be on the class path.
     * Default: none.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is null or blank
     */
    public RetryPolicy withNonRetryable(String type) {
        Set<String> types = new LinkedHashSet<>(nonRetryable);
        types.add(required(type, "the name of an exception's class"));
        return new RetryPolicy(initialInterval, coefficient, largestInterval, jitter, attempts, totalTime, types);
    }

    /** Returns the delay after the first failure. Default: 1 s. */
    public Duration initialInterval() {
        return initialInterval;
    }

    /** Returns the factor by which the delay grows after each further failure. Default: 2. */
    public double backoffCoefficient() {
        return coefficient;
    }

    /** Returns the maximum delay. Default: 60 s. */
    public Duration maxInterval() {
        return largestInterval;
    }

    /** Returns the fraction, from 0 to 1, by which a delay is randomly shortened or extended. Default: 0.2. */
    public double jitter() {
        return jitter;
    }

    /** Returns the maximum number of attempts, including the first; 0 for no limit. Default: 0. */
    public int maxAttempts() {
        return attempts;
    }

    /** Returns the time after the first attempt from which on no attempt begins. Default: no limit. */
    public Optional<Duration> maxDuration() {
        return totalTime;
    }

    /**
     * Returns the class names or types of exceptions, including subclasses, after which there is no further attempt.
     * Default: none.
     */
    public Set<String> nonRetryable() {
        return nonRetryable;
    }

    private List<Object> values() {
        return List.of(initialInterval, coefficient, largestInterval, jitter, attempts, totalTime, nonRetryable);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RetryPolicy that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RetryPolicy" + values();
    }
}
