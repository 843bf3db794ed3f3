package dev.dormouse;

import java.time.Instant;
import java.util.Optional;

/**
 * A requested change of an {@link UpdatableTimer}. Immutable.
 *
 * @param at the time of the request
 * @param from the end of the wait before; empty if there was none
 * @param to the requested end
 * @param reason the reason that the caller gave, may be empty
 * @param refusal the reason why it was refused; empty if it was not
 */
public record TimerChange(Instant at, Optional<Instant> from, Instant to, String reason, String refusal) {

    /** Returns true if the change was refused. */
    public boolean isRefused() {
        return !refusal.isEmpty();
    }
}
