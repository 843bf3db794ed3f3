package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueTurn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The state of the per-key rate limits of a queue, read and written under the lock of the queue's row. */
final class QueueRates {
    /** The number of expired rows that are deleted for each new row: more than one, so that their number falls. */
    private static final int FORGOTTEN_FOR_EACH = 2;

    private final String read;
    private final String write;
    private final QueueFloors floors;

    QueueRates(Schema schema, QueueFloors floors) {
        this.floors = floors;
        this.read = schema.sql("""
                select b.key, found.used_until
                from (select ?::int as shard, ?::text as queue, key from unnest(?::text[]) key) b
                  cross join lateral (
                    select r.used_until
                    from ${schema}.rate r
                    where r.shard = b.shard and r.queue = b.queue and r.key = b.key
                    offset 0) found
                """);
        this.write = schema.sql("""
                with written as (
                  insert into ${schema}.rate as r (shard, queue, key, used_until)
                  select ?::int, ?::text, b.* from unnest(?::text[], ?::int8[]) as b(key, used_until)
                  on conflict (shard, queue, key) do update set used_until = excluded.used_until),
                old as materialized (
                  select r.ctid as tid, r.shard
                  from ${schema}.rate r
                  where r.shard = ? and r.queue = ? and r.used_until between ?::int8 and ?::int8 and r.used_until > 0
                    and r.key <> all(?::text[])
                  order by r.shard, r.queue, r.used_until
                  limit ?::int8)
                delete from ${schema}.rate r using old where r.ctid = old.tid and r.shard = old.shard
                returning r.used_until
                """);
    }

    Map<String, Instant> read(Connection connection, int shard, QueueClaim claim, Collection<QueueDue.Run> due)
            throws SQLException {
        Map<String, Instant> found = new HashMap<>();
        List<String> keys = due.stream()
                .map(QueueDue.Run::candidate)
                .filter(run -> QueueTurn.begins(run.reason()))
                .map(QueueTurn.Candidate::key)
                .distinct()
                .toList();
        if (claim.keyRate() == null || keys.isEmpty()) {
            return found;
        }
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            new Params(statement).integer(shard).text(claim.queue()).texts(keys);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(rows.getString(1), RunRows.instant(rows, 2));
                }
            }
        }
        return found;
    }

    /** Writes the changed rates, and deletes some expired ones. */
    void write(Connection connection, int shard, QueueClaim claim, Map<String, Instant> usedUntil, Instant now)
            throws SQLException {
        List<String> keys = List.copyOf(usedUntil.keySet());
        QueueFloors.Rates range = new QueueFloors.Rates(shard, claim.queue());
        long most = (long) FORGOTTEN_FOR_EACH * keys.size();
        try (PreparedStatement statement = connection.prepareStatement(write)) {
            new Params(statement)
                    .integer(shard)
                    .text(claim.queue())
                    .texts(keys)
                    .bigints(keys, key -> Micros.of(usedUntil.getOrDefault(key, now)))
                    .integer(shard)
                    .text(claim.queue())
                    .bigint(floors.of(range, claim.floor(), now))
                    .bigint(Micros.of(now))
                    .texts(keys)
                    .bigint(most);
            try (ResultSet rows = statement.executeQuery()) {
                moveFloor(rows, range, most, now);
            }
        }
    }

    private void moveFloor(ResultSet rows, QueueFloors.Rates range, long most, Instant now) throws SQLException {
        long deleted = 0;
        long newest = 0;
        while (rows.next()) {
            deleted++;
            newest = Math.max(newest, rows.getLong(1));
        }
        floors.rates(range, deleted < most ? Micros.of(now) : newest);
    }
}
