package dev.dormouse.replay;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Micros;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Instants that lie a duration ahead. */
public final class Deadlines {
    private Deadlines() {}

    /** The instant in whole microseconds; one that is long past is as good as 1970, and one too far is an error. */
    public static Instant of(Instant instant) {
        return instant.isBefore(Instant.EPOCH) ? Instant.EPOCH : Micros.roundUp(instant);
    }

    /** The instant so long after another, or the last that a store can hold. */
    static Instant atMost(Instant from, Duration duration) {
        try {
            return plus(from, duration);
        } catch (DormouseException justTooFar) {
            return Micros.MAX;
        }
    }

    /** The instant so long after another; an error where no store can hold it. */
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
