package dev.dormouse.internal.run;

import dev.dormouse.internal.history.RetryAdvice;
import dev.dormouse.internal.thread.Nanos;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The retry policy and the time limits of a step.
 *
 * @param first the delay after the first failure
 * @param factor the growth of the delay after each further failure
 * @param longest the longest delay
 * @param jitter the random share by which a delay may be shorter or longer, from 0 to 1
 * @param attempts the maximum number of attempts; 0 for no limit
 * @param retryFor how long after the first attempt another may start; null for no limit
 * @param finalTypes names of exceptions that are not retried, nor their subclasses
 * @param total the time limit for all attempts together, delays included; null for none
 * @param attempt the time limit for one attempt; null for none
 * @param heartbeat the longest time between heartbeats; null for no limit
 */
public record StepPolicy(
        Duration first,
        double factor,
        Duration longest,
        double jitter,
        int attempts,
        @Nullable Duration retryFor,
        Set<String> finalTypes,
        @Nullable Duration total,
        @Nullable Duration attempt,
        @Nullable Duration heartbeat) {

    /** Returns this policy, changed so that no attempt starts later than {@code limit} after the first. */
    public StepPolicy retryAtMost(Duration limit) {
        Duration shorter = retryFor == null || limit.compareTo(retryFor) < 0 ? limit : retryFor;
        return new StepPolicy(first, factor, longest, jitter, attempts, shorter, finalTypes, total, attempt, heartbeat);
    }

    /** Returns true if a thread must watch time limits while the step executes. */
    public boolean isTimed() {
        return total != null || attempt != null || heartbeat != null;
    }

    /**
     * Returns the delay before the next attempt; null if there is none.
     *
     * @param number the number of the attempt that failed, from 1
     * @param taken the time since the first attempt started
     * @param chance a random number from 0 to 1
     */
    public @Nullable Duration retryIn(int number, Throwable problem, Duration taken, double chance) {
        return retryIn(number, RetryAdvice.of(problem), taken, chance);
    }

    /**
     * Returns the delay before the next attempt, for a failure whose exception is not available; null if there is
     * none.
     */
    @Nullable
    public Duration retryIn(int number, RetryAdvice advice, Duration taken, double chance) {
        if (attempts != 0 && number >= attempts || isFinal(advice)) {
            return null;
        }
        Duration delay = advice.retryAfter() == null ? backOff(number, chance) : advice.retryAfter();
        return isTooLong(taken, delay, total) || isTooLong(taken, delay, retryFor) ? null : delay;
    }

    private static boolean isTooLong(Duration taken, Duration delay, @Nullable Duration limit) {
        return limit != null
                && (delay.compareTo(limit) >= 0 || taken.plus(delay).compareTo(limit) >= 0);
    }

    private Duration backOff(int number, double chance) {
        double nanos = Nanos.of(first) * Math.pow(factor, Math.max(0, number - 1));
        double bounded = Math.min(nanos, (double) Nanos.of(longest));
        return Duration.ofNanos((long) (bounded * (1 + jitter * (2 * chance - 1))));
    }

    private boolean isFinal(RetryAdvice advice) {
        return advice.isFinal() || advice.types().stream().anyMatch(finalTypes::contains);
    }
}
