package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Arguments;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules by which an {@link UpdatableTimer} may be moved. Immutable; start with {@link #ANY}, which allows
 * everything.
 *
 * @param onlyLater true to allow only instants that are later than the current end. Default: false
 * @param onlyFuture true to allow only future instants; otherwise a past instant ends the wait. Default: false
 * @param mostChanges the maximum number of changes. Default: no limit
 * @param latest the latest instant to which it may be moved. Default: no limit
 */
public record TimerPolicy(boolean onlyLater, boolean onlyFuture, int mostChanges, Optional<Instant> latest) {

    public TimerPolicy {
        if (mostChanges < 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a number of changes of 0 or more, but got " + mostChanges
                            + ". Leave it out for no limit.");
        }
    }

    /** A policy that allows every change. */
    public static final TimerPolicy ANY = new TimerPolicy(false, false, Integer.MAX_VALUE, Optional.empty());

    /** Returns a copy that allows only instants that are later than the current end. */
    public TimerPolicy allowOnlyLater() {
        return new TimerPolicy(true, onlyFuture, mostChanges, latest);
    }

    /** Returns a copy that allows only future instants. */
    public TimerPolicy allowOnlyFuture() {
        return new TimerPolicy(onlyLater, true, mostChanges, latest);
    }

    /**
     * Returns a copy with a maximum number of changes.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code changes} is negative
     */
    public TimerPolicy atMost(int changes) {
        return new TimerPolicy(onlyLater, onlyFuture, changes, latest);
    }

    /**
     * Returns a copy with a latest instant to which the timer may be moved.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code instant} is null
     */
    public TimerPolicy notAfter(Instant instant) {
        return new TimerPolicy(
                onlyLater, onlyFuture, mostChanges, Optional.of(Arguments.required(instant, "an instant")));
    }
}
