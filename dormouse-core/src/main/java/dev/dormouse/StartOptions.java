package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.value.QueuePlace;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options for the start of a run. Immutable; start with {@link #DEFAULT}:
 * {@code StartOptions.DEFAULT.withStartDelay(Duration.ofHours(1))}.
 */
public final class StartOptions {
    private final IdReuse idReuse;
    private final Optional<Instant> startAt;
    private final Optional<Duration> startDelay;
    private final Optional<Duration> executionTimeout;
    private final Optional<Origin.Debounce> debounce;
    private final Optional<Queued> queued;
    private final Map<String, String> memo;

    /**
     * Options by which a run starts at once, without a timeout, a queue or a memo. A closed run of the id is returned.
     */
    public static final StartOptions DEFAULT = new StartOptions(
            IdReuse.RETURN_CLOSED,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of());

    private StartOptions(
            IdReuse idReuse,
            Optional<Instant> startAt,
            Optional<Duration> startDelay,
            Optional<Duration> executionTimeout,
            Optional<Origin.Debounce> debounce,
            Optional<Queued> queued,
            Map<String, String> memo) {
        required(idReuse, "an IdReuse");
        required(memo, "a memo").forEach((key, value) -> {
            required(key, "the key of a note");
            required(value, "the text of a note");
        });
        memo = Map.copyOf(memo);
        if (debounce.isPresent() && (startAt.isPresent() || startDelay.isPresent())) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a start that is debounced or one that is delayed, but got both. Remove one.");
        }
        if (startAt.isPresent() && startDelay.isPresent()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a start delay or a start instant, but got both, " + startDelay.get() + " and "
                            + startAt.get() + ". Remove one.");
        }
        this.idReuse = idReuse;
        this.startAt = startAt;
        this.startDelay = startDelay;
        this.executionTimeout = executionTimeout;
        this.debounce = debounce;
        this.queued = queued;
        this.memo = memo;
    }

    /**
     * Returns a copy with this behavior for a workflow id that was used before. Default: {@link IdReuse#RETURN_CLOSED}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public StartOptions withIdReuse(IdReuse value) {
        return new StartOptions(value, startAt, startDelay, executionTimeout, debounce, queued, memo);
    }

    /**
     * Returns a copy by which the run begins at {@code value}; a past instant means at once. Default: at once.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, or a start delay or a debounce is set
     */
    public StartOptions withStartAt(Instant value) {
        return new StartOptions(
                idReuse,
                Optional.of(required(value, "a start instant")),
                startDelay,
                executionTimeout,
                debounce,
                queued,
                memo);
    }

    /**
     * Returns a copy by which the run begins after {@code value}; zero or less means at once. Default: at once.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null, or a start instant or a debounce is set
     */
    public StartOptions withStartDelay(Duration value) {
        return new StartOptions(
                idReuse,
                startAt,
                Optional.of(required(value, "a start delay")),
                executionTimeout,
                debounce,
                queued,
                memo);
    }

    /**
     * Returns a copy by which the run ends as timed out {@code value} after its begin. Default: no timeout.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public StartOptions withExecutionTimeout(Duration value) {
        return new StartOptions(
                idReuse,
                startAt,
                startDelay,
                Optional.of(required(value, "an execution timeout")),
                debounce,
                queued,
                memo);
    }

    /**
     * Returns a copy that debounces starts: starts of one workflow id that follow each other within {@code quiet}
     * become one run with the last input. The run begins when there was no start for {@code quiet}, or at {@code limit}
     * after the first start. Starts that arrive after the run has begun are collected for a second run, which begins
     * when the first has closed. Default: starts are not debounced.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code quiet} is not above zero or longer than {@code limit}, or a
     *     delayed start is set
     */
    public StartOptions withDebounce(Duration quiet, Duration limit) {
        required(quiet, "a quiet period");
        required(limit, "a limit");
        if (quiet.isNegative() || quiet.isZero() || quiet.compareTo(limit) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a quiet period above zero, and a limit that is not shorter, but got " + quiet + " and "
                            + limit + ". Make the limit longer.");
        }
        Origin.Debounce both = new Origin.Debounce(quiet, limit);
        return new StartOptions(idReuse, startAt, startDelay, executionTimeout, Optional.of(both), queued, memo);
    }

    /**
     * Returns a copy that puts the run into a queue. It waits there until the queue's limits allow it to execute, on a
     * node that serves the queue; see {@link DormouseBuilder#queue}. Default: no queue.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    public StartOptions withQueue(String name) {
        return in(QueuePlace.in(queued, name));
    }

    /**
     * Returns a copy with a priority within the queue, from 0 to 9. Higher priorities go first. Default: 0.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is out of range, or no queue is set
     */
    public StartOptions withPriority(int value) {
        return in(QueuePlace.priority(queued, value));
    }

    /**
     * Returns a copy with the key for per-key rate limits ({@link QueueOptions#withRatePerKey}): runs with the same key
     * share one limit. Default: an empty key.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code key} is invalid, or no queue is set
     */
    public StartOptions withRateKey(String key) {
        return in(QueuePlace.rateKey(queued, key));
    }

    private StartOptions in(Optional<Queued> place) {
        return new StartOptions(idReuse, startAt, startDelay, executionTimeout, debounce, place, memo);
    }

    /**
     * Returns a copy with one more note. Default: none.
     *
     * @throws DormouseException BAD_ARGUMENT if an argument is null
     */
    public StartOptions withMemo(String key, String value) {
        Map<String, String> notes = new LinkedHashMap<>(memo);
        notes.put(required(key, "the key of a note"), required(value, "the text of a note"));
        return new StartOptions(idReuse, startAt, startDelay, executionTimeout, debounce, queued, notes);
    }

    /** Returns the behavior if the workflow id was used before. Default: {@link IdReuse#RETURN_CLOSED}. */
    public IdReuse idReuse() {
        return idReuse;
    }

    /** Returns the instant at which the run begins; a past instant means at once. Default: at once. */
    public Optional<Instant> startAt() {
        return startAt;
    }

    /** Returns the delay after which the run begins; zero or less means at once. Default: at once. */
    public Optional<Duration> startDelay() {
        return startDelay;
    }

    /** Returns the time after its begin at which the run ends as timed out. Default: no timeout. */
    public Optional<Duration> executionTimeout() {
        return executionTimeout;
    }

    /** Returns notes that {@link WorkflowHandle#describe} returns. Default: none. */
    public Map<String, String> memo() {
        return memo;
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

    /** Returns the quiet period of {@link #withDebounce(Duration, Duration)}; empty if starts are not debounced. */
    public Optional<Duration> debounceQuiet() {
        return debounce.map(Origin.Debounce::quiet);
    }

    /** Returns the limit of {@link #withDebounce(Duration, Duration)}; empty if starts are not debounced. */
    public Optional<Duration> debounceLimit() {
        return debounce.map(Origin.Debounce::limit);
    }

    private List<Object> values() {
        return List.of(idReuse, startAt, startDelay, executionTimeout, debounce, queued, memo);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StartOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "StartOptions" + values();
    }
}
