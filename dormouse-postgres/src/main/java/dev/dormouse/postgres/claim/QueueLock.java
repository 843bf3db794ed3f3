package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/**
 * The lock of a queue's row, held until the transaction ends. Because each statement takes a new snapshot
 * ({@code READ COMMITTED}), statements after this lock see the changes of its previous holder.
 */
final class QueueLock {
    private final String lock;
    private final String insert;
    private final String update;

    QueueLock(Schema schema) {
        // The clock is read for the locked row, which means after the lock was granted.
        this.lock = schema.sql("""
                with q as materialized (
                  select q.used_until from ${schema}.queue q where q.shard = ? and q.name = ? for no key update)
                select q.used_until, (extract(epoch from clock_timestamp()) * 1000000)::bigint from q
                """);
        this.insert = schema.sql("""
                insert into ${schema}.queue (shard, name, used_until) values (?, ?, 0) on conflict do nothing
                """);
        this.update = schema.sql("update ${schema}.queue set used_until = ? where shard = ? and name = ?");
    }

    /**
     * The state of the queue under the lock.
     *
     * @param usedUntil the stored state of the queue's rate limit, see {@link dev.dormouse.store.queue.Pace#usedUntil}
     * @param now the server's clock, read after the lock was granted
     */
    record Locked(Instant usedUntil, Instant now) {}

    /** Takes the lock. If the queue has no row yet, inserts one in a separate transaction. */
    Locked take(Connection connection, int shard, String queue) throws SQLException {
        Optional<Locked> locked = tryToTake(connection, shard, queue);
        if (locked.isPresent()) {
            return locked.get();
        }
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            new Params(statement).integer(shard).text(queue);
            statement.executeUpdate();
        }
        connection.commit(); // keeps the row even if this claim is rolled back
        return tryToTake(connection, shard, queue).orElseThrow();
    }

    private Optional<Locked> tryToTake(Connection connection, int shard, String queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lock)) {
            new Params(statement).integer(shard).text(queue);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of(new Locked(RunRows.instant(rows, 1), RunRows.instant(rows, 2)))
                        : Optional.empty();
            }
        }
    }

    void remember(Connection connection, int shard, String queue, long usedUntil) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            new Params(statement).bigint(usedUntil).integer(shard).text(queue);
            statement.executeUpdate();
        }
    }
}
