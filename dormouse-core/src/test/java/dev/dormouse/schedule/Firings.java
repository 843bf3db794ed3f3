package dev.dormouse.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Instants of a timetable in a readable form. */
final class Firings {
    private Firings() {}

    /** Returns the instants of one local day, each as local time and offset, such as {@code 03:30+02:00}. */
    static List<String> onDay(String day, String zone, String expression) {
        ZoneId id = ZoneId.of(zone);
        Instant midnight = LocalDate.parse(day).atStartOfDay(id).toInstant();
        Instant end = LocalDate.parse(day).plusDays(1).atStartOfDay(id).toInstant();
        return between(Cron.of(expression).inZone(id), midnight.minusNanos(1), end.minusNanos(1)).stream()
                .map(instant -> instant.atZone(id).toOffsetDateTime())
                .map(time -> time.toLocalTime() + time.getOffset().toString())
                .toList();
    }

    /** Returns the dates of the next instants in UTC. */
    static List<String> dates(String from, int count, String expression) {
        Instant midnight = LocalDate.parse(from).atStartOfDay(ZoneId.of("UTC")).toInstant();
        return next(count, Cron.of(expression).inZone(ZoneId.of("UTC")), midnight.minusNanos(1)).stream()
                .map(instant -> instant.toString().substring(0, 10))
                .toList();
    }

    static List<Instant> next(int count, Timetable timetable, Instant after) {
        List<Instant> found = new ArrayList<>();
        Instant last = after;
        while (found.size() < count) {
            last = timetable.next(last).orElseThrow();
            found.add(last);
        }
        return found;
    }

    /** Returns the instants after {@code after} up to and including {@code to}. */
    static List<Instant> between(Timetable timetable, Instant after, Instant to) {
        List<Instant> found = new ArrayList<>();
        Instant next = timetable.next(after).orElse(Instant.MAX);
        while (!next.isAfter(to)) {
            found.add(next);
            next = timetable.next(next).orElse(Instant.MAX);
        }
        return found;
    }

    /** @param time a local time with its offset */
    static Instant at(String time) {
        return OffsetDateTime.parse(time).toInstant();
    }
}
