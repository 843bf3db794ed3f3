package dev.dormouse.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A timetable with a fixed interval, counted from an anchor. The anchor is the first instant, and each other instant is
 * a whole number of intervals later. So the instants do not drift, however late each was acted upon. Daylight saving
 * does not matter: for the same time of each day, use a {@link Cron}.
 *
 * @param every the time from one instant to the next, 1 s or more
 * @param anchor the first instant
 */
public record Interval(Duration every, Instant anchor) implements Timetable {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    public Interval {
        Refusal.ofNull(every, "the length of an interval");
        Refusal.ofNull(anchor, "an anchor of an interval");
        if (every.compareTo(SHORTEST) < 0) {
            throw Refusal.because("Expected an interval of 1 s or more, but got " + every + ". Use a longer one.");
        }
    }

    @Override
    public Optional<Instant> next(Instant after) {
        Refusal.ofNull(after, "an instant to continue from");
        if (after.isBefore(anchor)) {
            return Optional.of(anchor);
        }
        long passed = Duration.between(anchor, after).dividedBy(every);
        Duration fromAnchor = every.multipliedBy(passed + 1);
        boolean isInTime = fromAnchor.compareTo(Duration.between(anchor, Instant.MAX)) <= 0;
        return isInTime ? Optional.of(anchor.plus(fromAnchor)) : Optional.empty();
    }
}
