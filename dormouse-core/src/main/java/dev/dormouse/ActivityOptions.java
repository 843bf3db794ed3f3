package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.QueuePlace;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.util.Optional;

/**
 * Options for the execution of a step or an activity. By default it is tried again after each failure (see
 * {@link RetryPolicy}) and has no time limit. Immutable; start with {@link #DEFAULT}.
 *
 * <p>When an attempt times out, its thread is interrupted and the attempt has failed. A result that it returns later is
 * ignored. Code that ignores interrupts blocks only its own thread.
 *
 * @param retry the retry policy. Default: {@link RetryPolicy#DEFAULT}
 * @param attemptTimeout the maximum duration of one attempt. Default: no limit
 * @param timeout the maximum duration of all attempts together, with the waits between them. Default: no limit
 * @param heartbeatTimeout the maximum time between two calls of {@link Activity#heartbeat}. Default: no limit
 * @param queued the place in a queue, see {@link #queue}. Default: no queue
 */
public record ActivityOptions(
        RetryPolicy retry,
        Optional<Duration> attemptTimeout,
        Optional<Duration> timeout,
        Optional<Duration> heartbeatTimeout,
        Optional<Queued> queued) {

    /** Options with {@link RetryPolicy#DEFAULT}, without time limits and without a queue. */
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
                    throw bad("Expected " + what + " above zero, but got " + time + ". Leave it out for no limit.");
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

    /**
     * Returns a copy with this retry policy.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ActivityOptions retry(RetryPolicy value) {
        return new ActivityOptions(value, attemptTimeout, timeout, heartbeatTimeout, queued);
    }

    /**
     * Returns a copy with a maximum duration of one attempt.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, not above zero, longer than the total
     *     timeout, or shorter than the heartbeat timeout
     */
    public ActivityOptions attemptTimeout(Duration value) {
        return new ActivityOptions(
                retry, Optional.of(required(value, "an attempt timeout")), timeout, heartbeatTimeout, queued);
    }

    /**
     * Returns a copy with a maximum duration of all attempts together.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, not above zero, or shorter than the attempt
     *     timeout or the heartbeat timeout
     */
    public ActivityOptions timeout(Duration value) {
        return new ActivityOptions(
                retry, attemptTimeout, Optional.of(required(value, "a timeout")), heartbeatTimeout, queued);
    }

    /**
     * Returns a copy with a maximum time between two heartbeats.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, not above zero, or longer than the attempt
     *     timeout or the total timeout
     */
    public ActivityOptions heartbeatTimeout(Duration value) {
        return new ActivityOptions(
                retry, attemptTimeout, timeout, Optional.of(required(value, "a heartbeat timeout")), queued);
    }

    /**
     * Returns a copy that puts the activity into a queue. It waits there until the queue's limits allow it to execute,
     * on a node that serves the queue and has the activity; see {@link DormouseBuilder#queue}. Only for activities of
     * an interface. Timeouts count from when the activity begins to execute.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    public ActivityOptions queue(String name) {
        return in(QueuePlace.in(queued, name));
    }

    /**
     * Returns a copy with a priority within the queue, from 0 to 9. Higher priorities go first. Default: 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range, or no queue is set
     */
    public ActivityOptions priority(int value) {
        return in(QueuePlace.priority(queued, value));
    }

    /**
     * Returns a copy with the key for per-key rate limits ({@link QueueOptions#ratePerKey}): activities with the same
     * key share one limit. Default: an empty key.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code key} is invalid, or no queue is set
     */
    public ActivityOptions rateKey(String key) {
        return in(QueuePlace.rateKey(queued, key));
    }

    private ActivityOptions in(Optional<Queued> place) {
        return new ActivityOptions(retry, attemptTimeout, timeout, heartbeatTimeout, place);
    }
}
