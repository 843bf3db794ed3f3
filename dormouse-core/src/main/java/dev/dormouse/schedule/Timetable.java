package dev.dormouse.schedule;

import java.time.Instant;
import java.util.Optional;

/** The instants at which something happens. Immutable and thread-safe; equal when it was made of equal parts. */
public sealed interface Timetable permits ZonedCron, Interval {

    /**
     * The first instant after this one; never this one itself, so that asking again with each answer gives all instants,
     * each once and in order. Empty when there is none before time ends; a cron expression is given up after 400 years.
     */
    Optional<Instant> next(Instant after);
}
