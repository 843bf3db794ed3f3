package dev.dormouse.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * Schedules that start workflows or call timer handlers repeatedly. They are stored, and every node of the store
 * executes them, so they survive the death of any node. Thread-safe.
 *
 * <p>In addition to the codes that a method names, all methods throw {@link dev.dormouse.error.DormouseException} with
 * NOT_ALLOWED_HERE in workflow code, DORMOUSE_CLOSED after the Dormouse was closed, STORE_UNAVAILABLE if the store does
 * not respond, and BAD_ARGUMENT for null or an invalid id. Methods that change something throw NOT_ALLOWED_HERE in a
 * transaction step, and READ_ONLY if the Dormouse was opened read-only. Methods that change an existing schedule also
 * throw NOT_ANSWERED if no node has applied the change within a minute; the change is stored then, and applied later.
 */
public interface Schedules {

    /**
     * Creates a schedule. Its first instant is after now.
     *
     * @throws dev.dormouse.error.DormouseException WORKFLOW_ID_TAKEN if the id exists; BAD_SCHEDULE if the schedule
     *     is incomplete or invalid; BAD_ARGUMENT if the id is invalid
     */
    void create(String id, Schedule schedule);

    /**
     * Creates a schedule, or replaces the existing one from now on.
     *
     * @throws dev.dormouse.error.DormouseException BAD_SCHEDULE if the schedule is incomplete or invalid;
     *     BAD_ARGUMENT if the id is invalid
     */
    void put(String id, Schedule schedule);

    /**
     * Replaces a schedule from now on. A paused schedule stays paused.
     *
     * @throws dev.dormouse.error.DormouseException SCHEDULE_NOT_FOUND if the id does not exist; BAD_SCHEDULE if the
     *     schedule is incomplete or invalid
     */
    void update(String id, Schedule schedule);

    /**
     * Pauses a schedule: it starts nothing until it is resumed. Instants during the pause are never made up for.
     *
     * @param note the reason, may be empty
     * @throws dev.dormouse.error.DormouseException SCHEDULE_NOT_FOUND if the id does not exist; BAD_ARGUMENT if
     *     {@code note} is null
     */
    void pause(String id, String note);

    /**
     * Resumes a paused schedule. Has no effect if it is not paused.
     *
     * @throws dev.dormouse.error.DormouseException SCHEDULE_NOT_FOUND if the id does not exist
     */
    void resume(String id);

    /**
     * Starts a run now, under the schedule's overlap policy, even if the schedule is paused.
     *
     * @throws dev.dormouse.error.DormouseException SCHEDULE_NOT_FOUND if the id does not exist
     */
    void trigger(String id);

    /**
     * Starts the runs of all instants of the timetable from {@code from} to {@code to}, both inclusive.
     *
     * @param overlap the overlap policy for these runs
     * @throws dev.dormouse.error.DormouseException SCHEDULE_NOT_FOUND if the id does not exist; BAD_SCHEDULE if
     *     there are more than 1,000 instants; BAD_ARGUMENT for null
     */
    void backfill(String id, Instant from, Instant to, Overlap overlap);

    /**
     * Deletes a schedule. The runs that it started continue.
     *
     * @throws dev.dormouse.error.DormouseException SCHEDULE_NOT_FOUND if the id does not exist
     */
    void delete(String id);

    /**
     * Returns the current state of a schedule; empty if the id does not exist.
     *
     * @throws dev.dormouse.error.DormouseException NOT_ANSWERED if the schedule did not respond within 10 s;
     *     BAD_ARGUMENT if the id is invalid
     */
    Optional<ScheduleInfo> get(String id);

    /**
     * Lists all schedules by id, a hundred per page.
     *
     * @param page {@link ScheduleList#next()} of the previous page; empty for the first page
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code page} is invalid
     */
    ScheduleList list(Optional<String> page);
}
