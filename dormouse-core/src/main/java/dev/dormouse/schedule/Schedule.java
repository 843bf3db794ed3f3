package dev.dormouse.schedule;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.timer.Timers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workflow or timer handler, and the timetable by which it is started repeatedly. Immutable.
 *
 * <pre>{@code
 * Schedule.of(Cron.of("0 3 * * *").inZone(ZoneId.of("Europe/Berlin")))
 *         .withWorkflow("nightly-report", "all")
 *         .withOverlap(Overlap.SKIP);
 * }</pre>
 */
public final class Schedule {
    private final Timetable timetable;
    private final Optional<String> workflow;
    private final Optional<String> timer;
    private final List<@Nullable Object> input;
    private final Overlap overlap;
    private final CatchUp catchUp;
    private final Duration jitter;
    private final Optional<String> idPrefix;
    private final Optional<RetryPolicy> retry;
    private final Optional<Duration> timeout;

    private Schedule(
            Timetable timetable,
            Optional<String> workflow,
            Optional<String> timer,
            List<@Nullable Object> input,
            Overlap overlap,
            CatchUp catchUp,
            Duration jitter,
            Optional<String> idPrefix,
            Optional<RetryPolicy> retry,
            Optional<Duration> timeout) {
        this.timetable = timetable;
        this.workflow = workflow;
        this.timer = timer;
        this.input = input;
        this.overlap = overlap;
        this.catchUp = catchUp;
        this.jitter = jitter;
        this.idPrefix = idPrefix;
        this.retry = retry;
        this.timeout = timeout;
    }

    /**
     * Creates a schedule by a timetable: a {@link Cron} in a time zone, or an {@link Interval}. It needs
     * {@link #withWorkflow} or {@link #withTimer}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code timetable} is null
     */
    public static Schedule of(Timetable timetable) {
        return new Schedule(
                required(timetable, "a timetable"),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Overlap.SKIP,
                CatchUp.one(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Returns a copy that starts a workflow of this type each time, on any node that has it. It replaces the handler of
     * {@link #withTimer}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code workflowType} is not a valid name
     */
    public Schedule withWorkflow(String workflowType, @Nullable Object... arguments) {
        Ids.checkedType(required(workflowType, "the name of a workflow type"));
        return with(
                Optional.of(workflowType),
                Optional.empty(),
                Collections.unmodifiableList(Arrays.asList(arguments.clone())));
    }

    /**
     * Returns a copy that calls a handler of {@link Timers} each time, on any node that has it. It replaces the
     * workflow of {@link #withWorkflow}.
     *
     * @param payload the argument of the handler; may be null, and is null there then
     * @throws DormouseException BAD_ARGUMENT if {@code handler} is not a valid name
     */
    public Schedule withTimer(String handler, @Nullable Object payload) {
        Ids.checkedName("timer handler", required(handler, "the name of a handler"));
        return with(Optional.empty(), Optional.of(handler), Collections.singletonList(payload));
    }

    private Schedule with(Optional<String> newWorkflow, Optional<String> newTimer, List<@Nullable Object> newInput) {
        return new Schedule(
                timetable, newWorkflow, newTimer, newInput, overlap, catchUp, jitter, idPrefix, retry, timeout);
    }

    /**
     * Returns a copy with this overlap policy. Default: {@link Overlap#SKIP}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public Schedule withOverlap(Overlap value) {
        return new Schedule(
                timetable,
                workflow,
                timer,
                input,
                required(value, "an overlap"),
                catchUp,
                jitter,
                idPrefix,
                retry,
                timeout);
    }

    /**
     * Returns a copy with this policy for missed instants. Default: {@link CatchUp#one()}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public Schedule withCatchUp(CatchUp value) {
        return new Schedule(
                timetable,
                workflow,
                timer,
                input,
                overlap,
                required(value, "a catch-up"),
                jitter,
                idPrefix,
                retry,
                timeout);
    }

    /**
     * Returns a copy that delays each start by a random amount of less than {@code value}, so that schedules do not all
     * start at the same time. The delay never extends past the next instant. Default: no delay.
     *
     * @throws DormouseException BAD_SCHEDULE if {@code value} is negative or longer than a day; BAD_ARGUMENT if it
     *     is null
     */
    public Schedule withJitter(Duration value) {
        if (required(value, "a jitter").isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE, "Expected a jitter from zero to a day, but got " + value + ". Use less.");
        }
        return new Schedule(timetable, workflow, timer, input, overlap, catchUp, value, idPrefix, retry, timeout);
    }

    /**
     * Returns a copy with a prefix for the ids of its workflows or timers; a dash and the instant follow. Default: the
     * schedule's id.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is not valid at the beginning of a workflow id
     */
    public Schedule withIdPrefix(String value) {
        Ids.checkNewWorkflowId(value);
        return new Schedule(
                timetable, workflow, timer, input, overlap, catchUp, jitter, Optional.of(value), retry, timeout);
    }

    /**
     * Returns a copy with a retry policy for the handler; for {@link #withTimer} only. A policy that is set here is used as
     * it is. Default: the policy of {@link DormouseBuilder#activityOptions}. With {@link Overlap#SKIP} and
     * {@link Overlap#BUFFER_ONE}, the default policy is limited to about the time until the next instant: a handler
     * that keeps failing has failed by then, and does not delay the next call.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null
     */
    public Schedule withRetry(RetryPolicy value) {
        Optional<RetryPolicy> policy = Optional.of(required(value, "a retry policy"));
        return new Schedule(timetable, workflow, timer, input, overlap, catchUp, jitter, idPrefix, policy, timeout);
    }

    /**
     * Returns a copy with a maximum duration of one attempt of the handler; for {@link #withTimer} only. Default: the
     * attempt timeout of {@link DormouseBuilder#activityOptions}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code value} is null or not above zero
     */
    public Schedule withTimeout(Duration value) {
        ActivityOptions.DEFAULT.withAttemptTimeout(value);
        return new Schedule(
                timetable, workflow, timer, input, overlap, catchUp, jitter, idPrefix, retry, Optional.of(value));
    }

    /** Returns the timetable. */
    public Timetable timetable() {
        return timetable;
    }

    /** Returns the workflow type that it starts, if any. */
    public Optional<String> workflow() {
        return workflow;
    }

    /** Returns the timer handler that it calls, if any. */
    public Optional<String> timer() {
        return timer;
    }

    /** Returns the arguments of the workflow, or the payload of the timer as a list of one; elements may be null. */
    public List<@Nullable Object> input() {
        return input;
    }

    /** Returns the overlap policy. Default: {@link Overlap#SKIP}. */
    public Overlap overlap() {
        return overlap;
    }

    /** Returns the policy for missed instants. Default: {@link CatchUp#one()}. */
    public CatchUp catchUp() {
        return catchUp;
    }

    /** Returns the maximum random delay of a start. Default: zero. */
    public Duration jitter() {
        return jitter;
    }

    /** Returns the prefix of the ids of its workflows or timers; empty for the schedule's id. */
    public Optional<String> idPrefix() {
        return idPrefix;
    }

    /** Returns the retry policy of the timer handler; empty for the default. */
    public Optional<RetryPolicy> retry() {
        return retry;
    }

    /** Returns the maximum duration of one attempt of the timer handler; empty for the default. */
    public Optional<Duration> timeout() {
        return timeout;
    }
}
