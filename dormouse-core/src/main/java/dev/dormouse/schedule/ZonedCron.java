package dev.dormouse.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression in a time zone. {@link Cron} says what happens on the days of daylight saving.
 *
 * <p>Time is cut where the offset of the zone changes. Within a {@link Stretch} local times are instants plus an offset,
 * and the first one that matches is found by fields. A fixed time that the clocks skip belongs to the stretch before: by
 * its offset, which has just ended, it is later by what is skipped. So the first of a stretch may come after the first of
 * the next one, and stretches are searched until one begins after what was found.
 */
public record ZonedCron(Cron cron, ZoneId zone) implements Timetable {
    /** Offsets are of 18 hours at most, to both sides. What was skipped earlier than this has happened. */
    private static final Duration LONGEST_SKIP = Duration.ofHours(36);

    /** In 400 years the calendar repeats itself, weekdays included. */
    private static final Duration SEARCHED = Duration.ofDays(146_097);

    /** Local times have a smaller range than instants; a year is room enough for all that is added to them. */
    private static final Instant EARLIEST = newYear(Year.MIN_VALUE + 1);

    private static final Instant LATEST = newYear(Year.MAX_VALUE - 1);

    public ZonedCron {
        Refusal.ofNull(cron, "a cron expression");
        Refusal.ofNull(zone, "a time zone");
    }

    private static Instant newYear(int year) {
        return LocalDateTime.of(year, 1, 1, 0, 0).toInstant(ZoneOffset.UTC);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        Refusal.ofNull(after, "an instant to go on from");
        if (!after.isBefore(LATEST)) {
            return Optional.empty();
        }
        Instant from = after.isBefore(EARLIEST) ? EARLIEST : nextSecond(after);
        Instant end = end(from);
        Instant next = end;
        Stretch stretch = Stretch.from(zone.getRules(), from.minus(LONGEST_SKIP));
        while (stretch != null && stretch.begins().isBefore(next)) {
            Instant first = firstIn(stretch, from, next);
            next = first == null ? next : first;
            stretch = stretch.following();
        }
        return next.equals(end) ? Optional.empty() : Optional.of(next);
    }

    private static Instant nextSecond(Instant after) {
        return after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    private static Instant end(Instant from) {
        return from.isBefore(LATEST.minus(SEARCHED)) ? from.plus(SEARCHED) : LATEST;
    }

    /** The first instant of a stretch that is in time. */
    private @Nullable Instant firstIn(Stretch stretch, Instant from, Instant before) {
        boolean isFixed = cron.hasFixedHours();
        LocalDateTime first = later(stretch.local(from), stretch.first(isFixed));
        LocalDateTime end = earlier(stretch.local(before), stretch.end(isFixed));
        LocalDateTime found = first.isBefore(end) ? cron.firstBetween(first, end) : null;
        return found == null ? null : stretch.instant(found);
    }

    private static LocalDateTime later(LocalDateTime one, @Nullable LocalDateTime other) {
        return other == null || one.isAfter(other) ? one : other;
    }

    private static LocalDateTime earlier(LocalDateTime one, @Nullable LocalDateTime other) {
        return other == null || one.isBefore(other) ? one : other;
    }
}
