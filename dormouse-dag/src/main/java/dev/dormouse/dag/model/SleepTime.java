package dev.dormouse.dag.model;

import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.data.Path;
import dev.dormouse.schedule.ZonedCron;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The duration or the end of a step's sleep, in exactly one of several forms. */
public sealed interface SleepTime {

    /** A sleep for a fixed duration. */
    record For(Duration duration) implements SleepTime {}

    /** A sleep for the duration in the data: a number of milliseconds, or a text such as PT30S. */
    record ForPath(Path path) implements SleepTime {}

    /** A sleep until a fixed instant. */
    record Until(Instant instant) implements SleepTime {}

    /** A sleep until the instant in the data: a text such as 2027-01-31T09:00:00Z, or milliseconds since 1970. */
    record UntilPath(Path path) implements SleepTime {}

    /** A sleep until the next time of a cron expression. */
    record Next(ZonedCron cron) implements SleepTime {}

    /** A smaller number of milliseconds since 1970 is taken for a duration and rejected. */
    long SMALLEST_EPOCH_MILLIS = 100_000_000_000L;

    /** Returns the path that it reads, if any. */
    default Optional<Path> looksAt() {
        if (this instanceof ForPath by) {
            return Optional.of(by.path());
        }
        return this instanceof UntilPath by ? Optional.of(by.path()) : Optional.empty();
    }

    /**
     * Returns the end of a sleep that begins at {@code now}. The end may have passed.
     *
     * @param data the run's data, for the forms with a path; paths have no value in it if it is null
     * @throws dev.dormouse.error.DormouseException DAG_DATA if the end cannot be determined, or exceeds {@code longest}
     */
    default Instant end(Instant now, @Nullable Object data, Duration longest) {
        if (this instanceof Until until) {
            return checked(now, until.instant(), longest);
        } else if (this instanceof UntilPath by) {
            return checked(now, instant(by.path(), by.path().in(data)), longest);
        } else if (this instanceof Next next) {
            Instant end = next.cron()
                    .next(now)
                    .orElseThrow(() -> DagErrors.data("Expected the cron expression '"
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
            throw DagErrors.data("Expected a sleep of at most " + longest + ", but it would last until " + end
                    + ". Sleep for a shorter time, or raise maxSleep.");
        }
        return end;
    }

    /**
     * Returns {@code duration} if it is positive and at most {@code longest}.
     *
     * @param where the origin of the duration, for the error message
     * @throws dev.dormouse.error.DormouseException DAG_DATA if it is not
     */
    static Duration checked(Duration duration, Duration longest, String where) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(longest) > 0) {
            throw DagErrors.data("Expected a sleep above zero and of at most " + longest + ", but " + where + " gives "
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
            // reported below
        }
        throw DagErrors.data("Expected a number of milliseconds or a duration such as PT30S at " + path + ", but it is "
                + JsonTree.kind(value) + ". Correct the data.");
    }

    private static Instant instant(Path path, @Nullable Object value) {
        try {
            if (value instanceof Number && wholeMillis(value) >= SMALLEST_EPOCH_MILLIS) {
                return Instant.ofEpochMilli(wholeMillis(value));
            } else if (value instanceof String text) {
                return OffsetDateTime.parse(text).toInstant();
            }
        } catch (DateTimeException | ArithmeticException notOne) {
            // reported below
        }
        throw DagErrors.data(
                "Expected an instant such as 2027-01-31T09:00:00Z, or the milliseconds since 1970 of one, at "
                        + path + ", but it is " + JsonTree.kind(value)
                        + ". Correct the data; a number of milliseconds from now is a sleep, not a sleepUntil.");
    }

    private static long wholeMillis(Object number) {
        return new BigDecimal(number.toString()).longValueExact();
    }
}
