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
 * A cron expression in a time zone. {@link Cron} defines the behavior on days of daylight saving changes.
 *
 * <p>The search splits time at each change of the zone's offset. Within one {@link Stretch} the offset is constant, so
 * local times can be searched field by field. A fixed time in a gap (02:30 when the clocks jump from 02:00 to 03:00) is
 * resolved with the offset before the gap, so it fires later by the length of the gap (03:30). Such a match can lie
 * after the first match of the next stretch. The search therefore continues until a stretch begins after the best match
 * found.
 *
 * @param cron the local times
 * @param zone the time zone in which they are
 */
public record ZonedCron(Cron cron, ZoneId zone) implements Timetable {
    /**
     * The longest possible gap: zone offsets range from -18 to +18 hours. A time that was skipped longer ago than this
     * has already fired.
     */
    private static final Duration LONGEST_SKIP = Duration.ofHours(36);

    /** The length of the searched time: after 400 years the calendar repeats itself, weekdays included. */
    private static final Duration SEARCHED = Duration.ofDays(146_097);

    /**
     * The earliest instant from which the search starts. Local times have a smaller range than instants, and a year is
     * enough room for everything that is added to them.
     */
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
        Refusal.ofNull(after, "an instant to continue from");
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

    /**
     * Returns the first match in {@code stretch}, at or after {@code from} and before {@code before}; null if there is
     * none.
     */
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
