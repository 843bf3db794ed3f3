package dev.dormouse.internal.schedule;

import dev.dormouse.schedule.ScheduleInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a schedule, as it is passed from run to run and returned to users.
 *
 * @param note the reason of its pause; empty if it is not paused
 * @param last the instant up to which the schedule has handled all instants
 * @param from instants whose start is not after this one are skipped, because the schedule was paused or had
 *     another timetable
 * @param running the workflow id of the run that it started last; null before the first
 * @param buffered the instant whose run waits for the end of that run; null if there is none
 */
record ScheduleState(
        ScheduleSpec spec,
        boolean paused,
        String note,
        Instant last,
        Instant from,
        List<ScheduleInfo.Past> past,
        @Nullable String running,
        @Nullable Instant buffered) {

    static ScheduleState of(ScheduleSpec spec, Instant now) {
        return new ScheduleState(spec, false, "", now, now, List.of(), null, null);
    }
}
