package dev.dormouse;

import static dev.dormouse.Arguments.required;

import java.time.Duration;
import java.util.Optional;

/**
 * How a timer is scheduled. Immutable; begin with {@link #DEFAULT}:
 * {@code TimerOptions.DEFAULT.id("expire-" + session).timeout(Duration.ofSeconds(10))}.
 *
 * @param id by which it is known. Scheduling the same id twice is one timer: the first one stays as it is. Default: a new
 *     one
 * @param idReuse what happens where the timer of that id has fired or ended otherwise. Default:
 *     {@link IdReuse#RETURN_CLOSED}, nothing
 * @param key what it is about, for whoever looks at it. Default: nothing
 * @param firing how its handler is executed: retries, timeouts, a queue. Default: as the Dormouse was set up by
 *     {@link DormouseBuilder#activityOptions}
 * @param retry when a handler that failed is tried again. Default: as in {@code firing}
 * @param timeout how long one attempt of the handler may take. Default: as in {@code firing}
 */
public record TimerOptions(
        Optional<String> id,
        IdReuse idReuse,
        Optional<String> key,
        Optional<ActivityOptions> firing,
        Optional<RetryPolicy> retry,
        Optional<Duration> timeout) {

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

    public TimerOptions id(String value) {
        return new TimerOptions(Optional.of(required(value, "an id")), idReuse, key, firing, retry, timeout);
    }

    public TimerOptions idReuse(IdReuse value) {
        return new TimerOptions(id, value, key, firing, retry, timeout);
    }

    public TimerOptions key(String value) {
        return new TimerOptions(id, idReuse, Optional.of(required(value, "a key")), firing, retry, timeout);
    }

    public TimerOptions firing(ActivityOptions value) {
        return new TimerOptions(id, idReuse, key, Optional.of(required(value, "activity options")), retry, timeout);
    }

    public TimerOptions retry(RetryPolicy value) {
        return new TimerOptions(id, idReuse, key, firing, Optional.of(required(value, "a retry policy")), timeout);
    }

    public TimerOptions timeout(Duration value) {
        return new TimerOptions(id, idReuse, key, firing, retry, Optional.of(required(value, "a timeout")));
    }

    /** @param otherwise where the timer says nothing */
    ActivityOptions executed(ActivityOptions otherwise) {
        ActivityOptions how = firing.orElse(otherwise);
        how = retry.isPresent() ? how.retry(retry.get()) : how;
        return timeout.isPresent() ? how.attemptTimeout(timeout.get()) : how;
    }
}
