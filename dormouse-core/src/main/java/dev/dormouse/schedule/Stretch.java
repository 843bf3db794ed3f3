package dev.dormouse.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * Time from one change of a zone's offset to the next.
 *
 * @param begin null when it does not matter
 * @param end null when it stays for ever
 */
record Stretch(
        ZoneRules rules,
        ZoneOffset offset,
        @Nullable ZoneOffsetTransition begin,
        @Nullable ZoneOffsetTransition end) {

    /** The one that an instant is in, from there on: what was before does not matter. */
    static Stretch from(ZoneRules rules, Instant instant) {
        return new Stretch(rules, rules.getOffset(instant), null, rules.nextTransition(instant));
    }

    /** The next one; null when this is the last. */
    @Nullable
    Stretch following() {
        return end == null
                ? null
                : new Stretch(rules, end.getOffsetAfter(), end, rules.nextTransition(end.getInstant()));
    }

    /** Long ago when it does not matter. */
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
     * The first local time; null when it does not matter.
     *
     * @param isOnce whether each local time is to be in one stretch: one that comes twice in the stretch that it comes
     *     in first, one that is skipped in the stretch before
     */
    @Nullable
    LocalDateTime first(boolean isOnce) {
        return begin == null ? null : isOnce ? border(begin) : begin.getDateTimeAfter();
    }

    /** The first local time behind it; null when it has no end. */
    @Nullable
    LocalDateTime end(boolean isOnce) {
        return end == null ? null : isOnce ? border(end) : end.getDateTimeBefore();
    }

    private static LocalDateTime border(ZoneOffsetTransition change) {
        return change.isGap() ? change.getDateTimeAfter() : change.getDateTimeBefore();
    }
}
