package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A timer that was set in SQL.
 *
 * @param fireAt when it fires, or its handler is tried again, or it was to fire; empty for infinity, and for what is nearly
 *     as far away
 * @param scheduledBy the role that set it, and that its action runs as
 * @param action SQL; empty where there is a handler instead
 * @param payload JSON, for the handler
 * @param timeout zero where there is none
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

    /** In the order of their numbers in the database. */
    public enum Status {
        PENDING,
        FIRED,
        FAILED,
        CANCELED
    }

    /** Its place in the list of what is due, for one that fires at some time. */
    public DuePlace place() {
        return id.place(fireAt.orElseThrow());
    }
}
