/**
 * When something happens again and again: by a cron expression in a time zone, or every so often.
 *
 * <pre>{@code
 * Timetable workdays = Cron.of("30 9 * * MON-FRI").in(ZoneId.of("Europe/Berlin"));
 * Timetable quarters = new Interval(Duration.ofMinutes(15), Instant.parse("2026-01-01T00:00:00Z"));
 * Optional<Instant> next = workdays.next(after);
 * }</pre>
 *
 * <p>All of it is computed: nothing here reads a clock, and the same question has the same answer on every node that has
 * the same time zone rules.
 */
@NullMarked
package dev.dormouse.schedule;

import org.jspecify.annotations.NullMarked;
