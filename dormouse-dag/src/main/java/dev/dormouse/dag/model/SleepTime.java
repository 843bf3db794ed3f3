package dev.dormouse.dag.model;

import dev.dormouse.dag.data.BadDag;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Tree;
import dev.dormouse.schedule.ZonedCron;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** For how long, or until when, a step sleeps. One of these forms, and never two at once. */
public sealed interface SleepTime {

    /** For so long. */
    record For(Duration duration) implements SleepTime {}

    /** For as long as the data says: a number of milliseconds, or a duration such as PT30S. */
    record ForPath(Path path) implements SleepTime {}

    /** Until this instant. */
    record Until(Instant instant) implements SleepTime {}

    /** Until when the data says: an instant such as 2027-01-31T09:00:00Z, or milliseconds since 1970. */
    record UntilPath(Path path) implements SleepTime {}

    /** Until the next time that a cron expression names. */
    record Next(ZonedCron cron) implements SleepTime {}

    /** A number of milliseconds since 1970 that is smaller is a mistake: it is a duration. */
    long SMALLEST_EPOCH_MILLIS = 100_000_000_000L;

    /** Where it looks into the data. */
    default Optional<Path> looksAt() {
        if (this instanceof ForPath by) {
            return Optional.of(by.path());
        }
        return this instanceof UntilPath by ? Optional.of(by.path()) : Optional.empty();
    }

    /**
     * When it ends, if it begins now. May have passed.
     *
     * @throws dev.dormouse.error.DormouseException DAG_DATA where that cannot be said, or it is longer than the longest
     */
    default Instant end(Instant now, @Nullable Object data, Duration longest) {
        if (this instanceof Until until) {
            return checked(now, until.instant(), longest);
        } else if (this instanceof UntilPath by) {
            return checked(now, instant(by.path(), by.path().in(data)), longest);
        } else if (this instanceof Next next) {
            Instant end = next.cron()
                    .next(now)
                    .orElseThrow(() -> BadDag.data("Expected the cron expression '"
                            + next.cron().cron() + "' to have a next time after " + now
                            + ", but it has none. Change the expression."));
            return checked(now, end, longest);
        } else if (this instanceof ForPath by) {
            Duration duration = duration(by.path(), by.path().in(data));
            return now.plus(checked(duration, longest, by.path().text()));
        }
        return now.plus(((For) this).duration());
    }

    private static Instant checked(Instant now, Instant end, Duration longest) {
        if (end.isAfter(now) && Duration.between(now, end).compareTo(longest) > 0) {
            throw BadDag.data("Expected a sleep of at most " + longest + ", but it would last until " + end
                    + ". Sleep for a shorter time, or raise maxSleep.");
        }
        return end;
    }

    /** @param where it comes from, for the sentence */
    static Duration checked(Duration duration, Duration longest, String where) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(longest) > 0) {
            throw BadDag.data("Expected a sleep above zero and of at most " + longest + ", but " + where + " gives "
                    + duration + ". Change it, or raise maxSleep.");
        }
        return duration;
    }

    private static Duration duration(Path path, @Nullable Object value) {
        try {
            if (value instanceof Number) {
                return Duration.ofMillis(wholeMillis(value));
            } else if (value instanceof String text) {
                return Duration.parse(text);
            }
        } catch (DateTimeException | ArithmeticException notOne) {
            // told below
        }
        throw BadDag.data("Expected a number of milliseconds or a duration such as PT30S at " + path + ", but it is "
                + Tree.kind(value) + ". Correct the data.");
    }

    private static Instant instant(Path path, @Nullable Object value) {
        try {
            if (value instanceof Number && wholeMillis(value) >= SMALLEST_EPOCH_MILLIS) {
                return Instant.ofEpochMilli(wholeMillis(value));
            } else if (value instanceof String text) {
                return OffsetDateTime.parse(text).toInstant();
            }
        } catch (DateTimeException | ArithmeticException notOne) {
            // told below
        }
        throw BadDag.data("Expected an instant such as 2027-01-31T09:00:00Z, or the milliseconds since 1970 of one, at "
                + path + ", but it is " + Tree.kind(value)
                + ". Correct the data; a number of milliseconds from now is a sleep, not a sleepUntil.");
    }

    private static long wholeMillis(Object number) {
        return new BigDecimal(number.toString()).longValueExact();
    }
}
