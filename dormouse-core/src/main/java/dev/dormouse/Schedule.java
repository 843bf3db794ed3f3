package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.engine.TimerTypes;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.store.Micros;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done when, again and again. Immutable:
 *
 * <pre>{@code
 * Schedule.of(Cron.of("0 3 * * *").in(ZoneId.of("Europe/Berlin")))
 *         .workflow("nightly-report", "all")
 *         .overlap(Overlap.SKIP);
 * }</pre>
 */
public final class Schedule {
    private final Timetable timetable;
    private final @Nullable String type;
    private final List<@Nullable Object> input;
    private final Overlap overlap;
    private final CatchUp catchUp;
    private final Duration jitter;
    private final Optional<String> idPrefix;
    private final Optional<RetryPolicy> retry;
    private final Optional<Duration> timeout;

    private Schedule(
            Timetable timetable,
            @Nullable String type,
            List<@Nullable Object> input,
            Overlap overlap,
            CatchUp catchUp,
            Duration jitter,
            Optional<String> idPrefix,
            Optional<RetryPolicy> retry,
            Optional<Duration> timeout) {
        this.timetable = timetable;
        this.type = type;
        this.input = input;
        this.overlap = overlap;
        this.catchUp = catchUp;
        this.jitter = jitter;
        this.idPrefix = idPrefix;
        this.retry = retry;
        this.timeout = timeout;
    }

    /** By a {@link dev.dormouse.schedule.Cron} in a time zone, or an {@link dev.dormouse.schedule.Interval}. */
    public static Schedule of(Timetable timetable) {
        return new Schedule(
                required(timetable, "a timetable"),
                null,
                List.of(),
                Overlap.SKIP,
                CatchUp.one(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Starts a workflow of this type each time, on whatever node has it. */
    public Schedule workflow(String workflowType, @Nullable Object... arguments) {
        WorkflowDefinition.checkedName(required(workflowType, "the name of a workflow type"));
        return with(workflowType, Collections.unmodifiableList(Arrays.asList(arguments.clone())));
    }

    /** Calls a handler of {@link Timers} each time, on whatever node has it. */
    public Schedule timer(String handler, @Nullable Object payload) {
        WorkflowDefinition.checkedName("timer handler", required(handler, "the name of a handler"));
        return with(TimerTypes.of(handler), Collections.singletonList(payload));
    }

    private Schedule with(String newType, List<@Nullable Object> newInput) {
        return new Schedule(timetable, newType, newInput, overlap, catchUp, jitter, idPrefix, retry, timeout);
    }

    /** Default: {@link Overlap#SKIP}. */
    public Schedule overlap(Overlap value) {
        return new Schedule(
                timetable, type, input, required(value, "an overlap"), catchUp, jitter, idPrefix, retry, timeout);
    }

    /** Default: {@link CatchUp#one()}. */
    public Schedule catchUp(CatchUp value) {
        return new Schedule(
                timetable, type, input, overlap, required(value, "a catch-up"), jitter, idPrefix, retry, timeout);
    }

    /**
     * Each run is later by chance, but by less than this, so that not all schedules do something at once; and never so late
     * that it is time for the next. Default: none.
     */
    public Schedule jitter(Duration value) {
        if (required(value, "a jitter").isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE, "Expected a jitter from zero to a day, but got " + value + ". Use less.");
        }
        return new Schedule(timetable, type, input, overlap, catchUp, value, idPrefix, retry, timeout);
    }

    /** How ids of its workflows or timers begin; a dash and the instant follow. Default: the schedule's id. */
    public Schedule idPrefix(String value) {
        Ids.checkNewWorkflowId(value);
        return new Schedule(timetable, type, input, overlap, catchUp, jitter, Optional.of(value), retry, timeout);
    }

    /**
     * Sets when a handler that failed is called again; for {@link #timer} only. Default: as the Dormouse was set up by
     * {@link DormouseBuilder#activityOptions}, but with {@link Overlap#SKIP} and {@link Overlap#BUFFER_ONE} not much longer
     * than until the next instant: a handler that keeps failing has failed by then, and does not hold up the next call. A
     * policy that is set here is used as it is.
     */
    public Schedule retry(RetryPolicy value) {
        Optional<RetryPolicy> policy = Optional.of(required(value, "a retry policy"));
        return new Schedule(timetable, type, input, overlap, catchUp, jitter, idPrefix, policy, timeout);
    }

    /** Sets how long one attempt of the handler may take; for {@link #timer} only. Default: as for {@link #retry}. */
    public Schedule timeout(Duration value) {
        ActivityOptions.DEFAULT.attemptTimeout(value);
        return new Schedule(timetable, type, input, overlap, catchUp, jitter, idPrefix, retry, Optional.of(value));
    }

    ScheduleSpec spec(String id, Payloads payloads, ActivityOptions options) {
        if (type == null) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected a schedule that does something, but it has neither workflow(…) nor timer(…). Add one.");
        }
        if (timetable instanceof Interval interval && interval.anchor().isAfter(Micros.MAX)) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected an anchor before " + Micros.MAX + ", but got " + interval.anchor()
                            + ". Use an earlier one.");
        }
        boolean isTimer = TimerTypes.isTimer(type);
        if (!isTimer && (retry.isPresent() || timeout.isPresent())) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected retry(…) and timeout(…) only with timer(…), but the schedule starts workflow '" + type
                            + "'. Set them for the steps of that workflow.");
        }
        ActivityOptions how = firing(options);
        String prefix = idPrefix.orElse(id) + "-";
        return ScheduleSpec.of(
                timetable,
                type,
                isTimer ? TimerTypes.workflowId(prefix) : prefix,
                isTimer ? TimerCode.input(how, payloads.encode(input.get(0))) : payloads.encodeAll(input.toArray()),
                overlap,
                catchUp,
                jitter,
                isTimer ? how.queued().orElse(null) : null,
                isTimer && retry.isEmpty() && holdsUp());
    }

    private ActivityOptions firing(ActivityOptions otherwise) {
        ActivityOptions how = retry.isPresent() ? otherwise.retry(retry.get()) : otherwise;
        return timeout.isPresent() ? how.attemptTimeout(timeout.get()) : how;
    }

    /** Returns true if an instant whose run is open keeps the next one from starting. */
    private boolean holdsUp() {
        return overlap == Overlap.SKIP || overlap == Overlap.BUFFER_ONE;
    }
}
