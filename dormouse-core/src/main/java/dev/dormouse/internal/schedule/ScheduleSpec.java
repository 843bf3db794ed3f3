package dev.dormouse.internal.schedule;

import dev.dormouse.ActivityOptions;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.internal.timer.TimerCode;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.schedule.CatchUp;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.Overlap;
import dev.dormouse.schedule.Schedule;
import dev.dormouse.schedule.Timetable;
import dev.dormouse.schedule.ZonedCron;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Queued;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a schedule.
 *
 * @param cron the cron expression; null for an interval
 * @param zone the time zone of the cron expression; null for an interval
 * @param every the length of the interval; null for a cron expression
 * @param anchor the anchor of the interval; null for a cron expression
 * @param type the type of the runs that it starts
 * @param idPrefix the prefix of their workflow ids
 * @param retriesUntilNext true if a failing handler is retried only until the next instant; null, which means
 *     false, in schedules of older versions
 */
record ScheduleSpec(
        @Nullable String cron,
        @Nullable String zone,
        @Nullable Duration every,
        @Nullable Instant anchor,
        String type,
        String idPrefix,
        List<Value> input,
        Overlap overlap,
        CatchUp catchUp,
        Duration jitter,
        @Nullable Queued queued,
        @Nullable Boolean retriesUntilNext) {

    /** A payload, independent of the codec that encoded it. */
    record Value(String encoding, byte[] bytes) {}

    /**
     * Returns the stored form of a schedule.
     *
     * @param options the default options of timers
     */
    static ScheduleSpec of(String id, Schedule schedule, Payloads payloads, ActivityOptions options) {
        Timetable timetable = schedule.timetable();
        String type = schedule.workflow()
                .or(() -> schedule.timer().map(TimerTypes::of))
                .orElseThrow(
                        () -> new DormouseException(
                                ErrorCode.BAD_SCHEDULE,
                                "Expected a schedule with a workflow or a timer, but it has neither workflow(…) nor timer(…). Add one."));
        boolean isTimer = schedule.timer().isPresent();
        if (timetable instanceof Interval interval && interval.anchor().isAfter(Micros.MAX)) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected an anchor before " + Micros.MAX + ", but got " + interval.anchor()
                            + ". Use an earlier one.");
        }
        if (!isTimer && (schedule.retry().isPresent() || schedule.timeout().isPresent())) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected retry(…) and timeout(…) only with timer(…), but the schedule starts workflow '" + type
                            + "'. Set them for the steps of that workflow.");
        }
        ActivityOptions how = firing(schedule, options);
        String prefix = schedule.idPrefix().orElse(id) + "-";
        return of(
                timetable,
                type,
                isTimer ? TimerTypes.workflowId(prefix) : prefix,
                isTimer
                        ? TimerCode.input(how, payloads.encode(schedule.input().get(0)))
                        : payloads.encodeAll(schedule.input().toArray()),
                schedule.overlap(),
                schedule.catchUp(),
                schedule.jitter(),
                isTimer ? EngineOptions.queued(how) : null,
                isTimer && schedule.retry().isEmpty() && blocksNext(schedule.overlap()));
    }

    private static ActivityOptions firing(Schedule schedule, ActivityOptions otherwise) {
        ActivityOptions how = schedule.retry().isPresent()
                ? otherwise.withRetry(schedule.retry().get())
                : otherwise;
        return schedule.timeout().isPresent()
                ? how.withAttemptTimeout(schedule.timeout().get())
                : how;
    }

    /** Returns true if the open run of one instant prevents the run of the next instant from starting. */
    private static boolean blocksNext(Overlap overlap) {
        return overlap == Overlap.SKIP || overlap == Overlap.BUFFER_ONE;
    }

    private static ScheduleSpec of(
            Timetable timetable,
            String type,
            String idPrefix,
            List<Payload> input,
            Overlap overlap,
            CatchUp catchUp,
            Duration jitter,
            @Nullable Queued queued,
            boolean retriesUntilNext) {
        ZonedCron cron = timetable instanceof ZonedCron zoned ? zoned : null;
        Interval interval = timetable instanceof Interval every ? every : null;
        return new ScheduleSpec(
                cron == null ? null : cron.cron().toString(),
                cron == null ? null : cron.zone().getId(),
                interval == null ? null : interval.every(),
                interval == null ? null : interval.anchor(),
                type,
                idPrefix,
                input.stream()
                        .map(payload -> new Value(payload.encoding(), payload.bytes()))
                        .toList(),
                overlap,
                catchUp,
                jitter,
                queued,
                retriesUntilNext);
    }

    /** Returns true if both schedules are due at the same instants. */
    boolean isAsOften(ScheduleSpec other) {
        return Objects.equals(cron, other.cron)
                && Objects.equals(zone, other.zone)
                && Objects.equals(every, other.every)
                && Objects.equals(anchor, other.anchor)
                && jitter.equals(other.jitter);
    }

    /** Returns the timetable. Throws BAD_SCHEDULE if this JVM does not know the time zone. */
    Timetable timetable() {
        if (cron == null) {
            return new Interval(Objects.requireNonNull(every), Objects.requireNonNull(anchor));
        }
        try {
            return Cron.of(cron).inZone(ZoneId.of(Objects.requireNonNull(zone)));
        } catch (DateTimeException unknown) {
            throw new DormouseException(
                    ErrorCode.BAD_SCHEDULE,
                    "Expected a time zone that this JVM knows, but it does not know '" + zone
                            + "'. Update its time zone data.",
                    unknown);
        }
    }

    List<Payload> payloads() {
        return input.stream()
                .map(value -> new Payload(value.encoding, value.bytes))
                .toList();
    }

    /**
     * Returns the start of an instant's run, with jitter. It is always the same for the same instant, and before the
     * next instant.
     */
    Instant startOf(Instant instant, Timetable timetable) {
        if (jitter.isZero()) {
            return instant;
        }
        Duration gap = timetable
                .next(instant)
                .map(next -> Duration.between(instant, next))
                .filter(untilNext -> untilNext.compareTo(jitter) < 0)
                .orElse(jitter);
        long seed = instant.getEpochSecond() * 31 + idPrefix.hashCode();
        return instant.plusNanos(new SplittableRandom(seed).nextLong(Math.max(1, gap.toNanos() / 1_000)) * 1_000);
    }
}
