package dev.dormouse.timer;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.IdReuse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.internal.value.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of a timer. Immutable; start with {@link #DEFAULT}:
 * {@code TimerOptions.DEFAULT.withId("expire-" + session).withTimeout(Duration.ofSeconds(10))}.
 */
public final class TimerOptions {
    private final Optional<String> id;
    private final IdReuse idReuse;
    private final Optional<String> key;
    private final Optional<ActivityOptions> firing;
    private final Optional<RetryPolicy> retry;
    private final Optional<Duration> timeout;

    /** Options with a generated id and the options of {@link DormouseBuilder#activityOptions}. */
    public static final TimerOptions DEFAULT = new TimerOptions(
            Optional.empty(),
            IdReuse.RETURN_CLOSED,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    private TimerOptions(
            Optional<String> id,
            IdReuse idReuse,
            Optional<String> key,
            Optional<ActivityOptions> firing,
            Optional<RetryPolicy> retry,
            Optional<Duration> timeout) {
        id.ifPresent(Ids::checkTimerId);
        required(idReuse, "an IdReuse");
        key.ifPresent(Ids::checkKey);
        timeout.ifPresent(ActivityOptions.DEFAULT::withAttemptTimeout);
        this.id = id;
        this.idReuse = idReuse;
        this.key = key;
        this.firing = firing;
        this.retry = retry;
        this.timeout = timeout;
    }

    /**
     * Returns a copy with this timer id. Default: a generated id.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is not a valid id
     */
    public TimerOptions withId(String value) {
        return new TimerOptions(Optional.of(required(value, "an id")), idReuse, key, firing, retry, timeout);
    }

    /**
     * Returns a copy with this behavior for an id whose timer has ended. Default: {@link IdReuse#RETURN_CLOSED}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public TimerOptions withIdReuse(IdReuse value) {
        return new TimerOptions(id, value, key, firing, retry, timeout);
    }

    /**
     * Returns a copy with the subject of the timer, which {@link TimerInfo#key} returns and lists show. It need not be
     * unique. Default: none.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null, empty or too long
     */
    public TimerOptions withKey(String value) {
        return new TimerOptions(id, idReuse, Optional.of(required(value, "a key")), firing, retry, timeout);
    }

    /**
     * Returns a copy with these options for the handler. Default: {@link DormouseBuilder#activityOptions}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public TimerOptions withActivityOptions(ActivityOptions value) {
        return new TimerOptions(id, idReuse, key, Optional.of(required(value, "activity options")), retry, timeout);
    }

    /**
     * Returns a copy with this retry policy for the handler. Default: the policy in {@link #activityOptions}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public TimerOptions withRetry(RetryPolicy value) {
        return new TimerOptions(id, idReuse, key, firing, Optional.of(required(value, "a retry policy")), timeout);
    }

    /**
     * Returns a copy with a maximum duration of one attempt of the handler. Default: the timeout in
     * {@link #activityOptions}.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code value} is null or not above zero
     */
    public TimerOptions withTimeout(Duration value) {
        return new TimerOptions(id, idReuse, key, firing, retry, Optional.of(required(value, "a timeout")));
    }

    /**
     * Returns the id of the timer. Scheduling the same id twice has no effect: the first timer stays as it is. Default:
     * a generated id.
     */
    public Optional<String> id() {
        return id;
    }

    /**
     * Returns the behavior if the timer of that id has fired or ended. Default: {@link IdReuse#RETURN_CLOSED}, which
     * schedules nothing.
     */
    public IdReuse idReuse() {
        return idReuse;
    }

    /** Returns the subject of the timer, shown in {@link TimerInfo#key}. Default: none. */
    public Optional<String> key() {
        return key;
    }

    /** Returns the options for its handler: retries, timeouts, a queue. Default: {@link DormouseBuilder#activityOptions}. */
    public Optional<ActivityOptions> activityOptions() {
        return firing;
    }

    /** Returns the retry policy of the handler. Default: the policy in {@code activityOptions}. */
    public Optional<RetryPolicy> retry() {
        return retry;
    }

    /** Returns the maximum duration of one attempt of the handler. Default: the timeout in {@code activityOptions}. */
    public Optional<Duration> timeout() {
        return timeout;
    }

    private List<Object> values() {
        return List.of(id, idReuse, key, firing, retry, timeout);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TimerOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TimerOptions" + values();
    }
}
