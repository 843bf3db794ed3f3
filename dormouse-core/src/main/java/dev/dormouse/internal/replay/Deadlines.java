package dev.dormouse.internal.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Deadline arithmetic within the range that stores can hold. */
public final class Deadlines {
    private Deadlines() {}

    /**
     * Returns the instant in whole microseconds. An instant before 1970 becomes 1970.
     *
     * @throws DormouseException INSTANT_OUT_OF_RANGE if no store can hold it
     */
    public static Instant of(Instant instant) {
        return instant.isBefore(Instant.EPOCH) ? Instant.EPOCH : Micros.roundUp(instant);
    }

    /**
     * Returns the instant {@code duration} after {@code from}, or the last one that a store can hold if that is
     * earlier.
     */
    static Instant atMost(Instant from, Duration duration) {
        try {
            return plus(from, duration);
        } catch (DormouseException justTooFar) {
            return Micros.MAX;
        }
    }

    /**
     * Returns the instant {@code duration} after {@code from}.
     *
     * @throws DormouseException INSTANT_OUT_OF_RANGE if no store can hold it
     */
    public static Instant plus(Instant from, Duration duration) {
        try {
            return Micros.roundUp(from.plus(duration));
        } catch (ArithmeticException | DateTimeException | DormouseException tooFar) {
            throw new DormouseException(
                    ErrorCode.INSTANT_OUT_OF_RANGE,
                    "Expected a duration that ends before " + Micros.MAX + ", but got " + duration
                            + ". Use a shorter one, or wait without a deadline.",
                    tooFar);
        }
    }
}
