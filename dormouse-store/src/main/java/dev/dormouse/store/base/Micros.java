package dev.dormouse.store.base;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Conversions between instants and the form in which stores keep them: whole microseconds since 1970, rounded up, so
 * that no alarm is early.
 */
public final class Micros {
    private static final long PER_SECOND = 1_000_000;

    /** The last instant that can be stored, in the year 294,246. */
    public static final Instant MAX = toInstant(Long.MAX_VALUE);

    private static final Instant MIN = toInstant(Long.MIN_VALUE + PER_SECOND);

    private Micros() {}

    /**
     * Returns an instant in whole microseconds since 1970, rounded up.
     *
     * @throws DormouseException INSTANT_OUT_OF_RANGE if no store can hold it
     */
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

    /** Returns a duration in whole microseconds, rounded up. A duration that is too long saturates. */
    public static long of(Duration duration) {
        try {
            return Math.addExact(
                    Math.multiplyExact(duration.getSeconds(), PER_SECOND), (duration.getNano() + 999) / 1_000);
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /**
     * Returns the instant that is {@code micros} microseconds after the beginning of 1970, or before it if negative.
     */
    public static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /**
     * Returns an instant rounded up to a whole microsecond.
     *
     * @throws DormouseException INSTANT_OUT_OF_RANGE if no store can hold it
     */
    public static Instant roundUp(Instant instant) {
        return toInstant(of(instant));
    }
}
