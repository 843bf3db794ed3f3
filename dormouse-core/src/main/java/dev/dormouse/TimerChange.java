package dev.dormouse;

import java.time.Instant;
import java.util.Optional;

/**
 * A change of an {@link UpdatableTimer} that was asked for.
 *
 * @param at when
 * @param from the end of the wait before; empty when it had none yet
 * @param to what was asked for
 * @param reason what whoever asked said, may be empty
 * @param refusal why it was refused; empty when it was not
 */
public record TimerChange(Instant at, Optional<Instant> from, Instant to, String reason, String refusal) {

    public boolean isRefused() {
        return !refusal.isEmpty();
    }
}
