package dev.dormouse.timer;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.internal.value.Ids;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a timer. Immutable; start with {@link #DEFAULT}:
 * {@code TimerOptions.DEFAULT.id("expire-" + session).timeout(Duration.ofSeconds(10))}.
 *
 * @param id the id of the timer. Scheduling the same id twice has no effect: the first timer stays as it is.
 *     Default: a generated id
 * @param idReuse the behavior if the timer of that id has fired or ended. Default: {@link IdReuse#RETURN_CLOSED},
 *     which schedules nothing
 * @param key the subject of the timer, shown in {@link TimerInfo#key}. Default: none
 * @param firing the options for its handler: retries, timeouts, a queue. Default:
 *     {@link DormouseBuilder#activityOptions}
 * @param retry the retry policy of the handler. Default: the policy in {@code firing}
 * @param timeout the maximum duration of one attempt of the handler. Default: the timeout in {@code firing}
 */
public record TimerOptions(
        Optional<String> id,
        IdReuse idReuse,
        Optional<String> key,
        Optional<ActivityOptions> firing,
        Optional<RetryPolicy> retry,
        Optional<Duration> timeout) {

    /** Options with a generated id and the options of {@link DormouseBuilder#activityOptions}. */
    public static final TimerOptions DEFAULT = new TimerOptions(
            Optional.empty(),
            IdReuse.RETURN_CLOSED,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    public TimerOptions {
        required(id, "an id, or Optional.empty()").ifPresent(Ids::checkTimerId);
        required(idReuse, "an IdReuse");
        required(key, "a key, or Optional.empty()").ifPresent(Ids::checkKey);
        required(firing, "activity options, or Optional.empty()");
        required(retry, "a retry policy, or Optional.empty()");
        required(timeout, "a timeout, or Optional.empty()").ifPresent(ActivityOptions.DEFAULT::attemptTimeout);
    }

    /**
     * Returns a copy with this timer id.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is not a valid id
     */
    public TimerOptions id(String value) {
        return new TimerOptions(Optional.of(required(value, "an id")), idReuse, key, firing, retry, timeout);
    }

    /**
     * Returns a copy with this behavior for an id whose timer has ended.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public TimerOptions idReuse(IdReuse value) {
        return new TimerOptions(id, value, key, firing, retry, timeout);
    }

    /**
     * Returns a copy with this subject.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null, empty or too long
     */
    public TimerOptions key(String value) {
        return new TimerOptions(id, idReuse, Optional.of(required(value, "a key")), firing, retry, timeout);
    }

    /**
     * Returns a copy with these options for the handler.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public TimerOptions firing(ActivityOptions value) {
        return new TimerOptions(id, idReuse, key, Optional.of(required(value, "activity options")), retry, timeout);
    }

    /**
     * Returns a copy with this retry policy for the handler.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public TimerOptions retry(RetryPolicy value) {
        return new TimerOptions(id, idReuse, key, firing, Optional.of(required(value, "a retry policy")), timeout);
    }

    /**
     * Returns a copy with a maximum duration of one attempt of the handler.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null or not above zero
     */
    public TimerOptions timeout(Duration value) {
        return new TimerOptions(id, idReuse, key, firing, retry, Optional.of(required(value, "a timeout")));
    }
}
