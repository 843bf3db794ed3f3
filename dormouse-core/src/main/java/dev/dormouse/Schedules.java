package dev.dormouse;

import java.time.Instant;
import java.util.Optional;

/**
 * Schedules that start workflows or call handlers of timers again and again. They are kept in the store and go on whatever
 * dies; every node of the store executes them. Thread-safe.
 */
public interface Schedules {

    /** Begins a schedule. Its first instant is after now. Fails where there is one of this id. */
    void create(String id, Schedule schedule);

    /** Begins a schedule, or replaces what the one of this id does from now on. */
    void put(String id, Schedule schedule);

    /** Replaces what a schedule does from now on; one that is paused stays so. */
    void update(String id, Schedule schedule);

    /** Lets it start nothing until it is resumed. What it misses meanwhile is not made up for. */
    void pause(String id, String note);

    void resume(String id);

    /** Starts a run now, as at an instant of its timetable, also while it is paused. */
    void trigger(String id);

    /**
     * Starts the runs of all instants of its timetable from one to another, both included, 1,000 at the most.
     *
     * @param overlap holds for these runs
     */
    void backfill(String id, Instant from, Instant to, Overlap overlap);

    /** Ends a schedule. What it has started goes on. */
    void delete(String id);

    Optional<ScheduleInfo> get(String id);

    /** All schedules, in the order of their ids, a hundred on a page. */
    ScheduleList list(Optional<String> page);
}
