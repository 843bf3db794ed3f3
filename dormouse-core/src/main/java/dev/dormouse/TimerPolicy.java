package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Arguments;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which an {@link UpdatableTimer} may be moved. Immutable; start with {@link #ANY}, which allows
 * everything.
 */
public final class TimerPolicy {
    private final boolean onlyLater;
    private final boolean onlyFuture;
    private final int mostChanges;
    private final Optional<Instant> latest;

    private TimerPolicy(boolean onlyLater, boolean onlyFuture, int mostChanges, Optional<Instant> latest) {
        if (mostChanges < 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a number of changes of 0 or more, but got " + mostChanges
                            + ". Leave it out for no limit.");
        }
        this.onlyLater = onlyLater;
        this.onlyFuture = onlyFuture;
        this.mostChanges = mostChanges;
        this.latest = latest;
    }

    /** A policy that allows every change. */
    public static final TimerPolicy ANY = new TimerPolicy(false, false, Integer.MAX_VALUE, Optional.empty());

    /** Returns a copy that allows only instants that are later than the current end. Default: earlier instants too. */
    public TimerPolicy withOnlyLater() {
        return new TimerPolicy(true, onlyFuture, mostChanges, latest);
    }

    /** Returns a copy that allows only future instants. Default: past instants too; they end the wait. */
    public TimerPolicy withOnlyFuture() {
        return new TimerPolicy(onlyLater, true, mostChanges, latest);
    }

    /**
     * Returns a copy with a maximum number of changes. Default: no limit.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code changes} is negative
     */
    public TimerPolicy withMaxChanges(int changes) {
        return new TimerPolicy(onlyLater, onlyFuture, changes, latest);
    }

    /**
     * Returns a copy with a latest instant to which the timer may be moved. Default: no limit.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code instant} is null
     */
    public TimerPolicy withLatest(Instant instant) {
        return new TimerPolicy(
                onlyLater, onlyFuture, mostChanges, Optional.of(Arguments.required(instant, "an instant")));
    }

    /** Returns true to allow only instants that are later than the current end. Default: false. */
    public boolean onlyLater() {
        return onlyLater;
    }

    /** Returns true to allow only future instants; otherwise a past instant ends the wait. Default: false. */
    public boolean onlyFuture() {
        return onlyFuture;
    }

    /** Returns the maximum number of changes. Default: no limit. */
    public int maxChanges() {
        return mostChanges;
    }

    /** Returns the latest instant to which it may be moved. Default: no limit. */
    public Optional<Instant> latest() {
        return latest;
    }

    private List<Object> values() {
        return List.of(onlyLater, onlyFuture, mostChanges, latest);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TimerPolicy that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TimerPolicy" + values();
    }
}
