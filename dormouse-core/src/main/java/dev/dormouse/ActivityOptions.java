package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.engine.StepPolicy;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Queued;
import java.time.Duration;
import java.util.Optional;

/**
 * How a step or an activity is executed. By default it is tried again after each failure, see {@link RetryPolicy}, and
 * may take any time. Immutable; begin with {@link #DEFAULT}.
 *
 * <p>When the time of an attempt is up, its thread is interrupted and the attempt has failed: whatever it comes to later
 * does not count, and code that is deaf to interrupts holds up nobody but its own thread.
 *
 * @param retry when it is tried again. Default: {@link RetryPolicy#DEFAULT}
 * @param attemptTimeout how long one attempt may take. Default: any time
 * @param timeout how long all attempts together may take, with the waits in between. Default: any time
 * @param heartbeatTimeout how long an attempt may go without {@link Activity#heartbeat}. Default: any time
 * @param queued its place in a queue, see {@link #queue}. Default: in none
 */
public record ActivityOptions(
        RetryPolicy retry,
        Optional<Duration> attemptTimeout,
        Optional<Duration> timeout,
        Optional<Duration> heartbeatTimeout,
        Optional<Queued> queued) {

    public static final ActivityOptions DEFAULT = new ActivityOptions(
            RetryPolicy.DEFAULT, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public ActivityOptions {
        required(retry, "a retry policy");
        required(queued, "a place in a queue, or Optional.empty()");
        positive("an attempt timeout", attemptTimeout);
        positive("a timeout", timeout);
        positive("a heartbeat timeout", heartbeatTimeout);
        noLonger("attempt timeout", attemptTimeout, "timeout of all attempts", timeout);
        noLonger("heartbeat timeout", heartbeatTimeout, "attempt timeout", attemptTimeout);
        noLonger("heartbeat timeout", heartbeatTimeout, "timeout of all attempts", timeout);
    }

    private static void positive(String what, Optional<Duration> value) {
        required(value, what + ", or Optional.empty()")
                .filter(time -> time.isNegative() || time.isZero())
                .ifPresent(time -> {
                    throw bad("Expected " + what + " above zero, but got " + time + ". Leave it out for any time.");
                });
    }

    private static void noLonger(String what, Optional<Duration> value, String limitName, Optional<Duration> limit) {
        if (value.isPresent() && limit.isPresent() && value.get().compareTo(limit.get()) > 0) {
            throw bad("Expected the " + what + " to be no longer than the " + limitName + ", " + limit.get()
                    + ", but got " + value.get() + ". It would never be reached; change one of them.");
        }
    }

    private static DormouseException bad(String message) {
        return new DormouseException(ErrorCode.BAD_ARGUMENT, message);
    }

    public ActivityOptions retry(RetryPolicy value) {
        return new ActivityOptions(value, attemptTimeout, timeout, heartbeatTimeout, queued);
    }

    public ActivityOptions attemptTimeout(Duration value) {
        return new ActivityOptions(
                retry, Optional.of(required(value, "an attempt timeout")), timeout, heartbeatTimeout, queued);
    }

    public ActivityOptions timeout(Duration value) {
        return new ActivityOptions(
                retry, attemptTimeout, Optional.of(required(value, "a timeout")), heartbeatTimeout, queued);
    }

    public ActivityOptions heartbeatTimeout(Duration value) {
        return new ActivityOptions(
                retry, attemptTimeout, timeout, Optional.of(required(value, "a heartbeat timeout")), queued);
    }

    /**
     * The activity waits in this queue until the queue's limits let it execute; nodes that serve the queue and have the
     * activity do that, see {@link DormouseBuilder#queue}. For activities of an interface only. The timeouts count from
     * when it begins.
     */
    public ActivityOptions queue(String name) {
        return in(QueuePlace.in(queued, name));
    }

    /** From 0, the default, to 9: within a queue higher ones go first. */
    public ActivityOptions priority(int value) {
        return in(QueuePlace.priority(queued, value));
    }

    /** Rates of the queue that are kept for each key are kept for this one. */
    public ActivityOptions rateKey(String key) {
        return in(QueuePlace.rateKey(queued, key));
    }

    private ActivityOptions in(Optional<Queued> place) {
        return new ActivityOptions(retry, attemptTimeout, timeout, heartbeatTimeout, place);
    }

    StepPolicy policy() {
        return new StepPolicy(
                retry.initialInterval(),
                retry.coefficient(),
                retry.largestInterval(),
                retry.jitter(),
                retry.attempts(),
                retry.totalTime().orElse(null),
                retry.nonRetryable(),
                timeout.orElse(null),
                attemptTimeout.orElse(null),
                heartbeatTimeout.orElse(null));
    }
}
