package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Origin;
import dev.dormouse.store.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a run starts. Immutable; begin with {@link #DEFAULT}: {@code StartOptions.DEFAULT.startDelay(Duration.ofHours(1))}.
 *
 * @param idReuse what happens when the workflow id was used before. Default: {@link IdReuse#RETURN_CLOSED}
 * @param startAt the run begins at this instant; one that has passed means at once. Default: at once
 * @param startDelay the run begins so long after the start; zero or less means at once. Default: at once
 * @param executionTimeout the run ends as timed out so long after it may begin. Default: never
 * @param debounce see {@link #debounce(Duration, Duration)}. Default: none
 * @param queued its place in a queue, see {@link #queue}. Default: in none
 * @param memo notes that {@link WorkflowHandle#describe} shows. Default: none
 */
public record StartOptions(
        IdReuse idReuse,
        Optional<Instant> startAt,
        Optional<Duration> startDelay,
        Optional<Duration> executionTimeout,
        Optional<Origin.Debounce> debounce,
        Optional<Queued> queued,
        Map<String, String> memo) {

    public static final StartOptions DEFAULT = new StartOptions(
            IdReuse.RETURN_CLOSED,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of());

    public StartOptions {
        required(idReuse, "an IdReuse");
        memo = Map.copyOf(memo);
        if (debounce.isPresent() && (startAt.isPresent() || startDelay.isPresent())) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a start that is debounced or one that is delayed, but got both. Leave one out.");
        }
        if (startAt.isPresent() && startDelay.isPresent()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a start delay or a start instant, but got both, " + startDelay.get() + " and "
                            + startAt.get() + ". Leave one out.");
        }
    }

    public StartOptions idReuse(IdReuse value) {
        return new StartOptions(value, startAt, startDelay, executionTimeout, debounce, queued, memo);
    }

    public StartOptions startAt(Instant value) {
        return new StartOptions(
                idReuse,
                Optional.of(required(value, "a start instant")),
                startDelay,
                executionTimeout,
                debounce,
                queued,
                memo);
    }

    public StartOptions startDelay(Duration value) {
        return new StartOptions(
                idReuse,
                startAt,
                Optional.of(required(value, "a start delay")),
                executionTimeout,
                debounce,
                queued,
                memo);
    }

    public StartOptions executionTimeout(Duration value) {
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
     * Starts of one workflow id that follow each other within a quiet period become one run with the last input. It
     * begins when there was none for a quiet period, or at a limit after the first. What comes after it began is for a
     * run that follows it when it has closed.
     */
    public StartOptions debounce(Duration quiet, Duration limit) {
        required(quiet, "a quiet period");
        required(limit, "a limit");
        if (quiet.isNegative() || quiet.isZero() || quiet.compareTo(limit) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a quiet period of more than zero, and a limit no shorter than that, but got " + quiet
                            + " and " + limit + ". Make the limit longer.");
        }
        Origin.Debounce both = new Origin.Debounce(quiet, limit);
        return new StartOptions(idReuse, startAt, startDelay, executionTimeout, Optional.of(both), queued, memo);
    }

    /**
     * The run waits in this queue until the queue's limits let it execute; nodes that serve the queue do that, see
     * {@link DormouseBuilder#queue}.
     */
    public StartOptions queue(String name) {
        return in(QueuePlace.in(queued, name));
    }

    /** From 0, the default, to 9: within a queue higher ones go first. */
    public StartOptions priority(int value) {
        return in(QueuePlace.priority(queued, value));
    }

    /** Rates of the queue that are kept for each key are kept for this one. */
    public StartOptions rateKey(String key) {
        return in(QueuePlace.rateKey(queued, key));
    }

    private StartOptions in(Optional<Queued> place) {
        return new StartOptions(idReuse, startAt, startDelay, executionTimeout, debounce, place, memo);
    }

    /** With one more note. */
    public StartOptions memo(String key, String value) {
        Map<String, String> notes = new LinkedHashMap<>(memo);
        notes.put(required(key, "the key of a note"), required(value, "the text of a note"));
        return new StartOptions(idReuse, startAt, startDelay, executionTimeout, debounce, queued, notes);
    }
}
