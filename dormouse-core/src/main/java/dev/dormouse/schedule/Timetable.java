package dev.dormouse.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * A sequence of instants at which something happens. Immutable and thread-safe. Two timetables are equal if they were
 * made of equal parts.
 */
public sealed interface Timetable permits ZonedCron, Interval {

    /**
     * Returns the first instant after {@code after}, never {@code after} itself. So repeated calls, each with the
     * previous result, return all instants, each once and in order. Empty if there is none before the end of time; for
     * a cron expression, the search ends after 400 years.
     *
     * @throws dev.dormouse.error.DormouseException BAD_SCHEDULE if {@code after} is null
     */
    Optional<Instant> next(Instant after);
}
