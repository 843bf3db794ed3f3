package dev.dormouse.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * A period between two changes of a zone's offset.
 *
 * @param begin the change at its beginning; null if the beginning does not matter
 * @param end the change at its end; null if it has no end
 */
record Stretch(
        ZoneRules rules,
        ZoneOffset offset,
        @Nullable ZoneOffsetTransition begin,
        @Nullable ZoneOffsetTransition end) {

    /** Returns the period from {@code instant} to the next change. The time before does not matter. */
    static Stretch from(ZoneRules rules, Instant instant) {
        return new Stretch(rules, rules.getOffset(instant), null, rules.nextTransition(instant));
    }

    /** Returns the next period; null if this is the last. */
    @Nullable
    Stretch following() {
        return end == null
                ? null
                : new Stretch(rules, end.getOffsetAfter(), end, rules.nextTransition(end.getInstant()));
    }

    /** Returns the beginning; {@link Instant#MIN} if it does not matter. */
    Instant begins() {
        return begin == null ? Instant.MIN : begin.getInstant();
    }

    LocalDateTime local(Instant instant) {
        return LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), offset);
    }

    Instant instant(LocalDateTime local) {
        return local.toInstant(offset);
    }

    /**
     * Returns the first local time; null if it does not matter.
     *
     * @param isOnce true to assign each local time to exactly one period: a repeated time to the period in which it
     *     comes first, a skipped time to the period before the gap
     */
    @Nullable
    LocalDateTime first(boolean isOnce) {
        return begin == null ? null : isOnce ? border(begin) : begin.getDateTimeAfter();
    }

    /** Returns the first local time after the period; null if it has no end. */
    @Nullable
    LocalDateTime end(boolean isOnce) {
        return end == null ? null : isOnce ? border(end) : end.getDateTimeBefore();
    }

    private static LocalDateTime border(ZoneOffsetTransition change) {
        return change.isGap() ? change.getDateTimeAfter() : change.getDateTimeBefore();
    }
}
