package dev.dormouse.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A timer that was set in SQL.
 *
 * @param fireAt when it fires, when its handler is tried again, or when it was due; empty for infinity, and for
 *     instants nearly that far away
 * @param scheduledBy the role that set it; its action runs as this role
 * @param action the SQL to run; empty if the timer has a handler instead
 * @param payload JSON for the handler
 * @param timeout the timeout; zero if there is none
 * @param firedAt when it began, fired or failed
 */
public record SqlTimer(
        SqlTimerId id,
        Status status,
        Optional<Instant> fireAt,
        String scheduledBy,
        Optional<String> action,
        Optional<String> handler,
        Optional<String> payload,
        Instant createdAt,
        Optional<Instant> firedAt,
        Duration timeout,
        int attempts,
        Optional<String> error,
        Optional<String> sqlState) {

    /** The status of a timer, in the order of the numbers in the database. */
    public enum Status {
        PENDING,
        FIRED,
        FAILED,
        CANCELLED
    }
}
