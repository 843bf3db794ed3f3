package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.QueuePlace;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options for the execution of a step or an activity. By default it is tried again after each failure (see
 * {@link RetryPolicy}) and has no time limit. Immutable; start with {@link #DEFAULT}.
 *
 * <p>When an attempt times out, its thread is interrupted and the attempt has failed. A result that it returns later is
 * ignored. Code that ignores interrupts blocks only its own thread.
 */
public final class ActivityOptions {
    private final RetryPolicy retry;
    private final Optional<Duration> attemptTimeout;
    private final Optional<Duration> timeout;
    private final Optional<Duration> heartbeatTimeout;
    private final Optional<Queued> queued;
    private final boolean waitForCancellation;

    /**
     * Options with {@link RetryPolicy#DEFAULT}, without time limits and without a queue. A cancelled call returns at
     * once.
     */
    public static final ActivityOptions DEFAULT = new ActivityOptions(
            RetryPolicy.DEFAULT, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

    private ActivityOptions(
            RetryPolicy retry,
            Optional<Duration> attemptTimeout,
            Optional<Duration> timeout,
            Optional<Duration> heartbeatTimeout,
            Optional<Queued> queued,
            boolean waitForCancellation) {
        required(retry, "a retry policy");
        positive("an attempt timeout", attemptTimeout);
        positive("a timeout", timeout);
        positive("a heartbeat timeout", heartbeatTimeout);
        noLonger("attempt timeout", attemptTimeout, "timeout of all attempts", timeout);
        noLonger("heartbeat timeout", heartbeatTimeout, "attempt timeout", attemptTimeout);
        noLonger("heartbeat timeout", heartbeatTimeout, "timeout of all attempts", timeout);
        this.retry = retry;
        this.attemptTimeout = attemptTimeout;
        this.timeout = timeout;
        this.heartbeatTimeout = heartbeatTimeout;
        this.queued = queued;
        this.waitForCancellation = waitForCancellation;
    }

    private static void positive(String what, Optional<Duration> value) {
        value.filter(time -> time.isNegative() || time.isZero()).ifPresent(time -> {
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
     * Returns a copy with this retry policy. Default: {@link RetryPolicy#DEFAULT}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ActivityOptions withRetry(RetryPolicy value) {
        return new ActivityOptions(value, attemptTimeout, timeout, heartbeatTimeout, queued, waitForCancellation);
    }

    /**
     * Returns a copy with a maximum duration of one attempt. Default: no timeout.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, not above zero, longer than the total
     *     timeout, or shorter than the heartbeat timeout
     */
    public ActivityOptions withAttemptTimeout(Duration value) {
        return new ActivityOptions(
                retry,
                Optional.of(required(value, "an attempt timeout")),
                timeout,
                heartbeatTimeout,
                queued,
                waitForCancellation);
    }

    /**
     * Returns a copy with a maximum duration of all attempts together. Default: no timeout.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, not above zero, or shorter than the attempt
     *     timeout or the heartbeat timeout
     */
    public ActivityOptions withTotalTimeout(Duration value) {
        return new ActivityOptions(
                retry,
                attemptTimeout,
                Optional.of(required(value, "a timeout")),
                heartbeatTimeout,
                queued,
                waitForCancellation);
    }

    /**
     * Returns a copy with a maximum time between two heartbeats. Default: no timeout.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, not above zero, or longer than the attempt
     *     timeout or the total timeout
     */
    public ActivityOptions withHeartbeatTimeout(Duration value) {
        return new ActivityOptions(
                retry,
                attemptTimeout,
                timeout,
                Optional.of(required(value, "a heartbeat timeout")),
                queued,
                waitForCancellation);
    }

    /**
     * Returns a copy that puts the activity into a queue. It waits there until the queue's limits allow it to execute,
     * on a node that serves the queue and has the activity; see {@link DormouseBuilder#queue}. Only for activities of
     * an interface. Timeouts count from when the activity begins to execute. Default: no queue.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    public ActivityOptions withQueue(String name) {
        return in(QueuePlace.in(queued, name));
    }

    /**
     * Returns a copy with a priority within the queue, from 0 to 9. Higher priorities go first. Default: 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range, or no queue is set
     */
    public ActivityOptions withPriority(int value) {
        return in(QueuePlace.priority(queued, value));
    }

    /**
     * Returns a copy with the key for per-key rate limits ({@link QueueOptions#withRatePerKey}): activities with the same
     * key share one limit. Default: an empty key.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code key} is invalid, or no queue is set
     */
    public ActivityOptions withRateKey(String key) {
        return in(QueuePlace.rateKey(queued, key));
    }

    private ActivityOptions in(Optional<Queued> place) {
        return new ActivityOptions(retry, attemptTimeout, timeout, heartbeatTimeout, place, waitForCancellation);
    }

    /**
     * Returns a copy by which a call whose run or scope is cancelled returns only after the activity has ended. The
     * activity is interrupted and can clean up. If it then returns a result, the call returns it. If it fails, the call
     * throws a {@link dev.dormouse.error.CancelledException}, in which the
     * {@link dev.dormouse.error.ActivityFailedException} is {@linkplain Throwable#getSuppressed suppressed}. There is
     * no further attempt. Default: the call throws at once, while the activity may still execute.
     *
     * <p>The time limits still apply; set one, because an activity that ignores the interrupt would keep the call
     * waiting. A heartbeat of a cancelled activity throws, but it still resets the heartbeat timeout. If the activity
     * waits for its next attempt or for the holder of its token, the call throws at once. If the node that executes the
     * activity dies, the call throws when another node takes over, and the activity is not executed again.
     */
    public ActivityOptions withWaitForCancellation() {
        return new ActivityOptions(retry, attemptTimeout, timeout, heartbeatTimeout, queued, true);
    }

    /** Returns the retry policy. Default: {@link RetryPolicy#DEFAULT}. */
    public RetryPolicy retry() {
        return retry;
    }

    /** Returns the maximum duration of one attempt. Default: no limit. */
    public Optional<Duration> attemptTimeout() {
        return attemptTimeout;
    }

    /** Returns the maximum duration of all attempts together, with the waits between them. Default: no limit. */
    public Optional<Duration> totalTimeout() {
        return timeout;
    }

    /** Returns the maximum time between two calls of {@link Activity#heartbeat}. Default: no limit. */
    public Optional<Duration> heartbeatTimeout() {
        return heartbeatTimeout;
    }

    /** Returns the name of the queue; empty if there is none. */
    public Optional<String> queue() {
        return queued.map(Queued::queue);
    }

    /** Returns the priority within the queue, from 0 to 9. Default: 0. */
    public int priority() {
        return queued.map(Queued::priority).orElse(0);
    }

    /** Returns the key for per-key rate limits. Default: an empty key. */
    public String rateKey() {
        return queued.map(Queued::key).orElse("");
    }

    /**
     * Returns true if a call whose run or scope is cancelled returns only after the activity has ended. Default: it throws
     * at once.
     */
    public boolean waitForCancellation() {
        return waitForCancellation;
    }

    private List<Object> values() {
        return List.of(retry, attemptTimeout, timeout, heartbeatTimeout, queued, waitForCancellation);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ActivityOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "ActivityOptions" + values();
    }
}
