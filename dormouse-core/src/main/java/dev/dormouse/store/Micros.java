package dev.dormouse.store;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as stores keep them: whole microseconds since 1970, rounded up, so that nothing is ever early. */
public final class Micros {
    private static final long PER_SECOND = 1_000_000;

    /** The last instant that can be kept, in the year 294,246. */
    public static final Instant MAX = toInstant(Long.MAX_VALUE);

    private static final Instant MIN = toInstant(Long.MIN_VALUE + PER_SECOND);

    private Micros() {}

    public static long of(Instant instant) {
        if (instant.isAfter(MAX) || instant.isBefore(MIN)) {
            throw new DormouseException(
                    ErrorCode.INSTANT_OUT_OF_RANGE,
                    "Expected an instant between " + MIN + " and " + MAX + ", but got " + instant
                            + ". Use a nearer one, or wait without a deadline.");
        }
        long whole = Math.multiplyExact(instant.getEpochSecond(), PER_SECOND) + instant.getNano() / 1_000;
        return instant.getNano() % 1_000 == 0 ? whole : whole + 1;
    }

    /** The length in whole microseconds, rounded up; as long as can be where it is longer than that. */
    public static long of(Duration duration) {
        try {
            return Math.addExact(
                    Math.multiplyExact(duration.getSeconds(), PER_SECOND), (duration.getNano() + 999) / 1_000);
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The instant rounded up to a whole microsecond. */
    public static Instant roundUp(Instant instant) {
        return toInstant(of(instant));
    }
}
