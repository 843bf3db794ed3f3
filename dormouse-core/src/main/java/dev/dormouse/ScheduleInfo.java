package dev.dormouse;

import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.schedule.Timetable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The current state of a schedule. Immutable.
 *
 * @param target the workflow type that it starts, or the timer handler that it calls
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
    private static final int NEXT = 5;

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

    static ScheduleInfo of(String id, ScheduleState state) {
        ScheduleSpec spec = state.spec();
        Timetable timetable = spec.timetable();
        boolean isTimer = TimerTypes.isTimer(spec.type());
        List<Past> past = new ArrayList<>();
        state.past().forEach(one -> past.add(0, one));
        return new ScheduleInfo(
                id,
                timetable,
                isTimer ? TimerTypes.handler(spec.type()) : spec.type(),
                spec.overlap(),
                spec.catchUp(),
                state.paused(),
                state.note(),
                state.paused() ? List.of() : next(spec, timetable, state.last()),
                past);
    }

    private static List<Instant> next(ScheduleSpec spec, Timetable timetable, Instant after) {
        List<Instant> next = new ArrayList<>();
        Optional<Instant> one = timetable.next(after);
        while (one.isPresent() && next.size() < NEXT) {
            next.add(spec.startOf(one.get(), timetable));
            one = timetable.next(one.get());
        }
        return next;
    }
}
