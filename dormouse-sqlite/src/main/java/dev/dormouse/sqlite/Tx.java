package dev.dormouse.sqlite;

import dev.dormouse.store.Micros;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * A transaction under way that holds the file's write lock: what it has read, nobody else changes.
 *
 * @param now the store's clock, read after the lock was taken, in microseconds
 * @param at the same as an instant
 */
record Tx(Session session, int shard, long now, Instant at) {

    Tx(Session session, int shard, long now) {
        this(session, shard, now, Micros.toInstant(now));
    }

    Call call(String sql) throws SQLException {
        return session.call(sql);
    }

    /** So long after now, and at most the last instant that can be kept. */
    long after(Duration delay) {
        long micros = Micros.of(delay);
        return micros > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + micros;
    }

    /** So long before now. */
    long before(Duration age) {
        return Instants.before(now, age);
    }
}
