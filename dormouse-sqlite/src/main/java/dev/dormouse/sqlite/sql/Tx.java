package dev.dormouse.sqlite.sql;

import dev.dormouse.store.base.Micros;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * A transaction that holds the file's write lock: rows that it has read cannot be changed by other connections.
 *
 * @param now the store's clock, read after the lock was taken, in microseconds
 * @param at {@code now} as an instant
 */
public record Tx(SqlSession session, int shard, long now, Instant at) {

    public Tx(SqlSession session, int shard, long now) {
        this(session, shard, now, Micros.toInstant(now));
    }

    public StatementCall call(String sql) throws SQLException {
        return session.call(sql);
    }

    /** Returns {@code now + delay}, at most the last instant that can be stored. */
    public long after(Duration delay) {
        long micros = Micros.of(delay);
        return micros > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + micros;
    }

    /** Returns {@code now - age}. */
    public long before(Duration age) {
        return InstantColumns.before(now, age);
    }
}
