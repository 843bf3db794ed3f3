package dev.dormouse.internal.run;

import dev.dormouse.internal.history.RetryAdvice;
import dev.dormouse.internal.thread.Nanos;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How often a step is tried, and for how long.
 *
 * @param first how long to wait after the first failure
 * @param factor by how much longer after each further one
 * @param longest but never longer than this
 * @param jitter by what part a wait may be shorter or longer, by chance; 0 to 1
 * @param attempts how many there may be; 0: any number
 * @param retryFor no attempt begins later than so long after the first; null: any time
 * @param finalTypes names of exceptions after which there is no other attempt, and of those that extend them
 * @param total how long all attempts together may take, waits included; null: any time
 * @param attempt how long one may take; null: any time
 * @param heartbeat how long one may be silent; null: any time
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

    /** Returns a policy by which no attempt begins later than {@code limit} after the first. */
    public StepPolicy retryAtMost(Duration limit) {
        Duration shorter = retryFor == null || limit.compareTo(retryFor) < 0 ? limit : retryFor;
        return new StepPolicy(first, factor, longest, jitter, attempts, shorter, finalTypes, total, attempt, heartbeat);
    }

    /** Whether somebody has to look at the clock while it executes. */
    public boolean isTimed() {
        return total != null || attempt != null || heartbeat != null;
    }

    /**
     * How long to wait until the next attempt; null when there is none.
     *
     * @param number of the attempt that failed, from 1
     * @param taken how long all attempts have taken so far
     * @param chance from 0 to 1
     */
    public @Nullable Duration retryIn(int number, Throwable problem, Duration taken, double chance) {
        return retryIn(number, RetryAdvice.of(problem), taken, chance);
    }

    /** The same where the exception is not at hand. */
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
