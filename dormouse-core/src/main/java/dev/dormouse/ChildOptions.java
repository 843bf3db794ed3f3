package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.QueuePlace;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options for the start of a child workflow. Immutable; start with {@link #DEFAULT}, or with {@link #detached} for a
 * child that continues when its parent closes.
 */
public final class ChildOptions {
    private final ParentClosePolicy parentClose;
    private final Optional<Queued> queued;
    private final IdReuse idReuse;
    private final Optional<Duration> startDelay;
    private final Optional<Duration> executionTimeout;
    private final Optional<RetryPolicy> retry;
    private final Map<String, String> memo;

    /**
     * Options by which the child starts at once, under a workflow id that no run has used, without a timeout, retries, a
     * queue or a memo. It is terminated if its parent closes first.
     */
    public static final ChildOptions DEFAULT = new ChildOptions(
            ParentClosePolicy.TERMINATE,
            Optional.empty(),
            IdReuse.REJECT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of());

    private ChildOptions(
            ParentClosePolicy parentClose,
            Optional<Queued> queued,
            IdReuse idReuse,
            Optional<Duration> startDelay,
            Optional<Duration> executionTimeout,
            Optional<RetryPolicy> retry,
            Map<String, String> memo) {
        required(parentClose, "a ParentClosePolicy");
        required(idReuse, "an IdReuse");
        if (idReuse == IdReuse.RETURN_CLOSED
                && retry.filter(policy -> policy.maxAttempts() != 1).isPresent()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected an IdReuse by which a failed child can start again, because the child has a retry policy, but "
                            + "got RETURN_CLOSED. Use START_UNLESS_COMPLETED, or no retry policy.");
        }
        this.parentClose = parentClose;
        this.queued = queued;
        this.idReuse = idReuse;
        this.startDelay = startDelay;
        this.executionTimeout = executionTimeout;
        this.retry = retry;
        this.memo = memo;
    }

    /**
     * Returns options for a child that continues when its parent closes: {@link #DEFAULT} with
     * {@link ParentClosePolicy#ABANDON}. The child starts even if the parent returns directly after it has called or
     * started the child.
     */
    public static ChildOptions detached() {
        return DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON);
    }

    /**
     * Returns a copy with another treatment of the child if its parent closes first. Default:
     * {@link ParentClosePolicy#TERMINATE}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code policy} is null
     */
    public ChildOptions withParentClosePolicy(ParentClosePolicy policy) {
        return new ChildOptions(policy, queued, idReuse, startDelay, executionTimeout, retry, memo);
    }

    /**
     * Returns a copy with this behavior for a workflow id that was used before. Default: {@link IdReuse#REJECT}.
     *
     * <ul>
     *   <li>{@link IdReuse#REJECT}: the child fails with WORKFLOW_ID_TAKEN.
     *   <li>{@link IdReuse#RETURN_CLOSED}: the closed run counts as the child, with its result or failure, if it is of the
     *       same workflow type; otherwise the child fails with WORKFLOW_ID_TAKEN.
     *   <li>{@link IdReuse#START_UNLESS_COMPLETED}: a new run starts, unless the closed run has completed. Then that counts
     *       as the child.
     *   <li>{@link IdReuse#START_NEW}: a new run starts.
     * </ul>
     *
     * <p>If the id has an open run, the child fails with WORKFLOW_ID_TAKEN in all cases, because a run has one parent. A
     * parent that was reset replaces the children that it had before, whatever this option says.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, or if it is {@link IdReuse#RETURN_CLOSED} and a
     *     retry policy is set
     */
    public ChildOptions withIdReuse(IdReuse value) {
        return new ChildOptions(parentClose, queued, value, startDelay, executionTimeout, retry, memo);
    }

    /**
     * Returns a copy by which the child begins {@code value} after it was requested; zero or less means at once. Its run
     * exists before that. Cancelling the child ends the run at once. A retry of the child is not delayed by this.
     * Default: at once.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ChildOptions withStartDelay(Duration value) {
        Optional<Duration> delay = Optional.of(required(value, "a start delay"));
        return new ChildOptions(parentClose, queued, idReuse, delay, executionTimeout, retry, memo);
    }

    /**
     * Returns a copy by which the child ends as timed out {@code value} after its begin. Each retry has the whole time.
     * Default: no timeout.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public ChildOptions withExecutionTimeout(Duration value) {
        Optional<Duration> timeout = Optional.of(required(value, "an execution timeout"));
        return new ChildOptions(parentClose, queued, idReuse, startDelay, timeout, retry, memo);
    }

    /**
     * Returns a copy by which a child that fails or times out is started again, as a new run of the same workflow id,
     * until {@code policy} is used up. Then the parent gets the {@link dev.dormouse.error.ChildFailedException} of the
     * last run. Default: no retry.
     *
     * <ul>
     *   <li>A child that was cancelled or terminated, or could not be started, is not retried.
     *   <li>The parent waits for the delays, with timers in its history. Cancelling the child, its scope or the parent
     *       ends such a wait. A parent that has closed retries nothing.
     *   <li>{@link RetryPolicy#withNonRetryable} names exceptions with which the child fails, or their causes, by the
     *       exact class. {@link RetryPolicy#withMaxDuration} counts from the request of the first run.
     *   <li>Changing the number of attempts is a change of the parent's code; see {@link Workflow#version}.
     * </ul>
     *
     * @throws DormouseException BAD_ARGUMENT if {@code policy} is null, or the id reuse is {@link IdReuse#RETURN_CLOSED}
     */
    public ChildOptions withRetry(RetryPolicy policy) {
        Optional<RetryPolicy> policies = Optional.of(required(policy, "a retry policy"));
        return new ChildOptions(parentClose, queued, idReuse, startDelay, executionTimeout, policies, memo);
    }

    /**
     * Returns a copy with one more note, which {@link WorkflowHandle#describe} returns. Default: none.
     *
     * @throws DormouseException BAD_ARGUMENT if an argument is null
     */
    public ChildOptions withMemo(String key, String value) {
        Map<String, String> notes = new LinkedHashMap<>(memo);
        notes.put(required(key, "the key of a note"), required(value, "the text of a note"));
        return new ChildOptions(parentClose, queued, idReuse, startDelay, executionTimeout, retry, Map.copyOf(notes));
    }

    /**
     * Returns a copy that puts the child into a queue. It waits there until the queue's limits allow it to execute; see
     * {@link DormouseBuilder#queue}. Default: no queue.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    public ChildOptions withQueue(String name) {
        return in(QueuePlace.in(queued, name));
    }

    /**
     * Returns a copy with a priority within the queue, from 0 to 9. Higher priorities go first. Default: 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range, or no queue is set
     */
    public ChildOptions withPriority(int value) {
        return in(QueuePlace.priority(queued, value));
    }

    /**
     * Returns a copy with the key for per-key rate limits ({@link QueueOptions#withRatePerKey}): runs with the same key
     * share one limit. Default: an empty key.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code key} is invalid, or no queue is set
     */
    public ChildOptions withRateKey(String key) {
        return in(QueuePlace.rateKey(queued, key));
    }

    private ChildOptions in(Optional<Queued> place) {
        return new ChildOptions(parentClose, place, idReuse, startDelay, executionTimeout, retry, memo);
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

    /** Returns the treatment of the child if its parent closes first. Default: {@link ParentClosePolicy#TERMINATE}. */
    public ParentClosePolicy parentClosePolicy() {
        return parentClose;
    }

    /** Returns the behavior if the workflow id was used before. Default: {@link IdReuse#REJECT}. */
    public IdReuse idReuse() {
        return idReuse;
    }

    /** Returns the delay after which the child begins; zero or less means at once. Default: at once. */
    public Optional<Duration> startDelay() {
        return startDelay;
    }

    /** Returns the time after its begin at which the child ends as timed out. Default: no timeout. */
    public Optional<Duration> executionTimeout() {
        return executionTimeout;
    }

    /** Returns the policy for retries of the child. Default: no retry. */
    public Optional<RetryPolicy> retry() {
        return retry;
    }

    /** Returns notes that {@link WorkflowHandle#describe} returns. Default: none. */
    public Map<String, String> memo() {
        return memo;
    }

    private List<Object> values() {
        return List.of(parentClose, queued, idReuse, startDelay, executionTimeout, retry, memo);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChildOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "ChildOptions" + values();
    }
}
