package dev.dormouse.internal.schedule;

import dev.dormouse.schedule.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a schedule that are due. They are recorded, so that a replay does not depend on the current time zone
 * data for past instants.
 *
 * @param instants the due instants, in order
 * @param last the instant up to which the schedule has handled all instants
 */
record DueInstants(List<Instant> instants, Instant last) {
    private static final Duration ON_TIME = Duration.ofMinutes(1);
    private static final int MOST_MISSED = 10_000;
    private static final int FARTHER = 8;

    /**
     * Computes the due instants of a schedule.
     *
     * @param after the instant up to which the schedule has handled all instants before
     * @param from instants whose start is not after this one are left out
     */
    static DueInstants of(ScheduleSpec spec, Instant after, Instant from, Instant now) {
        Timetable timetable = spec.timetable();
        Instant onTime = later(after, now.minus(ON_TIME).minus(spec.jitter()));
        List<Instant> due = new ArrayList<>(missed(spec, timetable, after, onTime, now));
        Instant last = onTime;
        Optional<Instant> next = timetable.next(onTime);
        while (next.isPresent() && !spec.startOf(next.get(), timetable).isAfter(now)) {
            last = next.get();
            due.add(last);
            next = timetable.next(last);
        }
        due.removeIf(instant -> !spec.startOf(instant, timetable).isAfter(from));
        return new DueInstants(due, last);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Returns the missed instants that the schedule makes up for. */
    private static List<Instant> missed(
            ScheduleSpec spec, Timetable timetable, Instant after, Instant onTime, Instant now) {
        Instant oldest = later(after, now.minus(spec.catchUp().window()));
        if (!oldest.isBefore(onTime)) {
            return List.of();
        } else if (spec.catchUp().all()) {
            return between(timetable, oldest, onTime);
        }
        Instant last = lastBetween(timetable, oldest, onTime);
        return last == null ? List.of() : List.of(last);
    }

    private static List<Instant> between(Timetable timetable, Instant after, Instant to) {
        List<Instant> found = new ArrayList<>();
        Optional<Instant> next = timetable.next(after);
        while (next.isPresent() && !next.get().isAfter(to) && found.size() < MOST_MISSED) {
            found.add(next.get());
            next = timetable.next(next.get());
        }
        return found;
    }

    /**
     * Returns the last instant in a range; null if there is none. Searches backwards in growing steps, so that it does
     * not enumerate years of instants that are seconds apart.
     */
    private static @Nullable Instant lastBetween(Timetable timetable, Instant after, Instant to) {
        Duration back = ON_TIME;
        while (true) {
            Instant begin = later(after, to.minus(back));
            List<Instant> found = between(timetable, begin, to);
            if (!found.isEmpty()) {
                return found.get(found.size() - 1);
            } else if (begin.equals(after)) {
                return null;
            }
            back = back.multipliedBy(FARTHER);
        }
    }
}
