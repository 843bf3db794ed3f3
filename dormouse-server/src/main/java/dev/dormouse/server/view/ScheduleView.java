package dev.dormouse.server.view;

import dev.dormouse.Overlap;
import dev.dormouse.ScheduleInfo;
import dev.dormouse.schedule.Interval;
import dev.dormouse.schedule.ZonedCron;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A schedule.
 *
 * @param catchUp none, one, or all with a window: {@code all PT1H}
 * @param past what it did last; where the id is empty, the instant was left out
 * @param lastFailure why what it started last has failed, or is tried again
 */
public record ScheduleView(
        String id,
        Optional<String> cron,
        Optional<String> zone,
        Optional<Duration> every,
        String target,
        Overlap overlap,
        String catchUp,
        boolean paused,
        String note,
        List<Instant> next,
        List<Past> past,
        Optional<String> lastFailure) {

    public record Past(Instant scheduledFor, String startedId) {}

    public static ScheduleView of(ScheduleInfo schedule, Optional<String> lastFailure) {
        Optional<ZonedCron> cron =
                schedule.timetable() instanceof ZonedCron zoned ? Optional.of(zoned) : Optional.empty();
        return new ScheduleView(
                schedule.id(),
                cron.map(zoned -> zoned.cron().toString()),
                cron.map(zoned -> zoned.zone().getId()),
                schedule.timetable() instanceof Interval interval ? Optional.of(interval.every()) : Optional.empty(),
                schedule.target(),
                schedule.overlap(),
                catchUp(schedule),
                schedule.paused(),
                schedule.note(),
                schedule.next(),
                schedule.past().stream()
                        .map(past -> new Past(past.scheduledFor(), past.startedId()))
                        .toList(),
                lastFailure);
    }

    private static String catchUp(ScheduleInfo schedule) {
        if (schedule.catchUp().window().isZero()) {
            return "none";
        }
        return schedule.catchUp().all() ? "all " + schedule.catchUp().window() : "one";
    }
}
