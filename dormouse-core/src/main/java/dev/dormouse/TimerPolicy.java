package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link UpdatableTimer} may be moved. Immutable; begin with {@link #ANY}, which allows everything.
 *
 * @param onlyLater whether only to a later instant than it has. Default: no
 * @param onlyFuture whether only to an instant that has not passed; otherwise one that has ends the wait. Default: no
 * @param mostChanges how often it may be moved. Default: any number of times
 * @param latest beyond what it may never be moved. Default: no limit
 */
public record TimerPolicy(boolean onlyLater, boolean onlyFuture, int mostChanges, Optional<Instant> latest) {

    public TimerPolicy {
        if (mostChanges < 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a number of changes of 0 or more, but got " + mostChanges + ". Leave it out for any.");
        }
    }

    public static final TimerPolicy ANY = new TimerPolicy(false, false, Integer.MAX_VALUE, Optional.empty());

    public TimerPolicy allowOnlyLater() {
        return new TimerPolicy(true, onlyFuture, mostChanges, latest);
    }

    public TimerPolicy allowOnlyFuture() {
        return new TimerPolicy(onlyLater, true, mostChanges, latest);
    }

    public TimerPolicy atMost(int changes) {
        return new TimerPolicy(onlyLater, onlyFuture, changes, latest);
    }

    public TimerPolicy notAfter(Instant instant) {
        return new TimerPolicy(
                onlyLater, onlyFuture, mostChanges, Optional.of(Arguments.required(instant, "an instant")));
    }

    /** Why a change is refused, as the end of a sentence; empty when it is not. */
    String refusal(@Nullable Instant before, Instant wanted, Instant now, int changes) {
        if (changes >= mostChanges) {
            return "it was moved " + changes + " times, and may be no more often";
        } else if (onlyFuture && !wanted.isAfter(now)) {
            return wanted + " has passed, and it may only be moved into the future";
        } else if (onlyLater && before != null && !wanted.isAfter(before)) {
            return "it ends at " + before + ", and may only be moved to a later instant than that";
        } else if (latest.isPresent() && wanted.isAfter(latest.get())) {
            return "it may never be moved beyond " + latest.get();
        }
        return "";
    }
}
