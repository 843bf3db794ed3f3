package dev.dormouse.schedule;

import java.time.Instant;
import java.util.List;

/**
 * The current state of a schedule. Immutable.
 *
 * @param id the id of the schedule
 * @param timetable the instants at which it is due
 * @param target the workflow type that it starts, or the timer handler that it calls
 * @param overlap the behavior when a run is due and the previous run is still open
 * @param catchUp the treatment of missed instants
 * @param paused true if it starts nothing until it is resumed
 * @param note the reason of its pause; empty if it is not paused
 * @param next the next starts, up to five; empty while it is paused
 * @param past the last results, the latest first, up to ten
 */
public record ScheduleInfo(
        String id,
        Timetable timetable,
        String target,
        Overlap overlap,
        CatchUp catchUp,
        boolean paused,
        String note,
        List<Instant> next,
        List<Past> past) {
    /**
     * The result of one instant.
     *
     * @param scheduledFor the instant of the timetable, or of the call of {@link Schedules#trigger}
     * @param startedId the workflow id or timer id that was started; empty if the instant was skipped
     */
    public record Past(Instant scheduledFor, String startedId) {
        /** Returns true if the instant was skipped because the previous run was still open. */
        public boolean isSkipped() {
            return startedId.isEmpty();
        }
    }
}
