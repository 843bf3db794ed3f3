package dev.dormouse.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A timer that was set in SQL. Immutable.
 *
 * @param id the id and the shard key of the timer
 * @param status the present status
 * @param fireAt when it fires, when its handler is tried again, or when it was due; empty for infinity, and for
 *     instants nearly that far away
 * @param scheduledBy the role that set it; its action runs as this role
 * @param action the SQL to run; empty if the timer has a handler instead
 * @param handler the name of its handler; empty if the timer has an action instead
 * @param payload JSON for the handler; empty if there is none
 * @param createdAt when it was set
 * @param timeout the timeout; zero if there is none
 * @param firedAt when it began, fired or failed; empty if none of these has happened
 * @param attempts the number of attempts of its handler; for an action, how often its connection was lost
 * @param error the message of the last failure; empty if there was none
 * @param sqlState the SQLSTATE of the last failure; empty if there was none
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
        /** It will fire, or is firing, or its handler has failed and is tried again. */
        PENDING,
        /** Its action was committed, or its handler has returned. */
        FIRED,
        /** Its action or handler has failed, and is not tried again. */
        FAILED,
        /** It was cancelled before it fired. */
        CANCELLED
    }
}
