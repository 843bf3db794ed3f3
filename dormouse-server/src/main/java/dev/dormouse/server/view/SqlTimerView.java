package dev.dormouse.server.view;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.SqlTimer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * A timer that was set in SQL.
 *
 * @param id a number, with the shard key and a colon before it where that is not 0
 * @param fireAt empty for one that never fires
 * @param scheduledBy the role that set it, and that its action runs as
 * @param action SQL, the beginning of it where it is long; empty where there is a handler
 * @param firedAt when it began, fired or failed
 * @param timeoutMillis 0 where there is none
 */
public record SqlTimerView(
        String id,
        SqlTimer.Status status,
        Optional<Instant> fireAt,
        String scheduledBy,
        Optional<String> action,
        Optional<String> handler,
        Optional<Value> payload,
        Instant createdAt,
        Optional<Instant> firedAt,
        long timeoutMillis,
        int attempts,
        Optional<String> error,
        Optional<String> sqlState) {
    private static final int MOST = 4_000;

    public static SqlTimerView of(SqlTimer timer) {
        return new SqlTimerView(
                timer.id().toString(),
                timer.status(),
                timer.fireAt(),
                timer.scheduledBy(),
                timer.action().map(SqlTimerView::cut),
                timer.handler(),
                timer.payload().map(json -> Value.of(new Payload("json", json.getBytes(StandardCharsets.UTF_8)))),
                timer.createdAt(),
                timer.firedAt(),
                timer.timeout().toMillis(),
                timer.attempts(),
                timer.error().map(SqlTimerView::cut),
                timer.sqlState());
    }

    private static String cut(String text) {
        return text.length() <= MOST ? text : text.substring(0, MOST) + "…";
    }
}
