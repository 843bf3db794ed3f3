/**
 * Timetables: cron expressions in a time zone, and fixed intervals.
 *
 * <pre>{@code
 * Timetable workdays = Cron.of("30 9 * * MON-FRI").inZone(ZoneId.of("Europe/Berlin"));
 * Timetable quarters = new Interval(Duration.ofMinutes(15), Instant.parse("2026-01-01T00:00:00Z"));
 * Optional<Instant> next = workdays.next(after);
 * }</pre>
 *
 * <p>All instants are computed: nothing here reads a clock. The result is the same on every node that has the same time
 * zone rules.
 */
@NullMarked
package dev.dormouse.schedule;

import org.jspecify.annotations.NullMarked;
