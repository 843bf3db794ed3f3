package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * By default a failed step is tried again, without end, after 1 s, 2 s, 4 s … and at most 60 s. A wait between two
 * attempts is the run's alarm: it holds no thread, and survives a crash with the number of attempts. When there are no
 * more attempts, the workflow gets an {@link ActivityFailure}. Immutable; begin with {@link #DEFAULT} or {@link #NONE}.
 *
 * <p>Each failed attempt is an event of the run's history, which has a limit (50,000 events by default): attempts that
 * follow each other every minute reach it in a month. Let longer waits grow, or end the attempts before that.
 *
 * <p>Never tried again, whatever the policy: what will not do next time either, such as a result that cannot be
 * serialized, and {@link ActivityFailure#nonRetryable}.
 *
 * @param initialInterval how long to wait after the first failure. Default: 1 s
 * @param coefficient by how much longer after each further one. Default: 2
 * @param largestInterval but never longer than this. Default: 60 s
 * @param jitter by what part a wait is made shorter or longer, by chance, from 0 to 1. Default: 0
 * @param attempts how many there are at most, the first included; 0 for any number. Default: 0
 * @param totalTime no attempt begins later than so long after the first. Default: any time
 * @param nonRetryable exceptions after which there is no other attempt, by the names of their classes, with those that
 *     extend them. Default: none
 */
public record RetryPolicy(
        Duration initialInterval,
        double coefficient,
        Duration largestInterval,
        double jitter,
        int attempts,
        Optional<Duration> totalTime,
        Set<String> nonRetryable) {

    public static final RetryPolicy DEFAULT =
            new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofSeconds(60), 0, 0, Optional.empty(), Set.of());

    /** One attempt only. */
    public static final RetryPolicy NONE = DEFAULT.attempts(1);

    public RetryPolicy {
        require(
                !required(initialInterval, "an initial interval").isNegative(),
                "an initial interval of zero or more",
                initialInterval);
        require(
                required(largestInterval, "a largest interval").compareTo(initialInterval) >= 0,
                "a largest interval that is no shorter than the initial one, " + initialInterval,
                largestInterval);
        require(coefficient >= 1 && coefficient <= 1_000, "a coefficient of 1 to 1000", coefficient);
        require(jitter >= 0 && jitter <= 1, "a jitter of 0 to 1", jitter);
        require(attempts >= 0, "1 or more attempts, or 0 for any number", attempts);
        required(totalTime, "a total time, or Optional.empty()")
                .ifPresent(time -> require(!time.isNegative() && !time.isZero(), "a total time above zero", time));
        required(nonRetryable, "a set of exceptions").forEach(RetryPolicy::checkName);
        nonRetryable = Set.copyOf(nonRetryable);
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

    public RetryPolicy initialInterval(Duration value) {
        Duration largest =
                required(value, "an initial interval").compareTo(largestInterval) > 0 ? value : largestInterval;
        return new RetryPolicy(value, coefficient, largest, jitter, attempts, totalTime, nonRetryable);
    }

    public RetryPolicy coefficient(double value) {
        return new RetryPolicy(initialInterval, value, largestInterval, jitter, attempts, totalTime, nonRetryable);
    }

    public RetryPolicy largestInterval(Duration value) {
        return new RetryPolicy(initialInterval, coefficient, value, jitter, attempts, totalTime, nonRetryable);
    }

    public RetryPolicy jitter(double value) {
        return new RetryPolicy(initialInterval, coefficient, largestInterval, value, attempts, totalTime, nonRetryable);
    }

    public RetryPolicy attempts(int value) {
        return new RetryPolicy(initialInterval, coefficient, largestInterval, jitter, value, totalTime, nonRetryable);
    }

    public RetryPolicy totalTime(Duration value) {
        return new RetryPolicy(
                initialInterval,
                coefficient,
                largestInterval,
                jitter,
                attempts,
                Optional.of(required(value, "a total time")),
                nonRetryable);
    }

    /** With one more exception after which there is no other attempt. */
    public RetryPolicy nonRetryable(Class<? extends Throwable> type) {
        return nonRetryable(required(type, "the class of an exception").getName());
    }

    /** The same by the name of its class, which need not be there. */
    public RetryPolicy nonRetryable(String type) {
        Set<String> types = new LinkedHashSet<>(nonRetryable);
        types.add(required(type, "the name of an exception's class"));
        return new RetryPolicy(initialInterval, coefficient, largestInterval, jitter, attempts, totalTime, types);
    }
}
