package dev.dormouse;

import dev.dormouse.engine.TimerTypes;
import dev.dormouse.schedule.Timetable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a schedule stands.
 *
 * @param target the workflow type that it starts, or the handler of timers that it calls
 * @param note why it is paused, empty where it is not
 * @param next when it starts something next, five at the most; none while it is paused
 * @param past what it did last, the latest first, ten at the most
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
     * What became of an instant.
     *
     * @param scheduledFor the instant of the timetable, or the one at which somebody has asked for a run
     * @param startedId the workflow id or timer id of what was started; empty when it was left out
     */
    public record Past(Instant scheduledFor, String startedId) {
        /** Whether it was left out, because the one before was still open. */
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
