package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueTurn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The statement that counts the leases of a queue, and locks the expired ones, so that these cannot be renewed while
 * their slots are given away. A lease that is locked, or was renewed since the statement began, still counts.
 */
final class QueueLeases {
    private final String sql;
    private final QueueFloors floors;

    QueueLeases(Schema schema, QueueFloors floors) {
        this.floors = floors;
        this.sql = schema.sql("""
                with held as materialized (
                  select coalesce(r.wake_at, ${max}) as ends
                  from ${schema}.run r
                  where r.shard = ? and r.queue = ? and r.queue <> '' and r.lease <> 0
                    and coalesce(r.wake_at, ${max}) > ?::int8
                  order by r.shard, r.queue, coalesce(r.wake_at, ${max})
                  limit ?::int8),
                ended as materialized (
                  select r.shard, r.run_id, coalesce(r.wake_at, ${max}) as ends
                  from ${schema}.run r
                  where r.shard = ? and r.queue = ? and r.queue <> '' and r.lease <> 0
                    and coalesce(r.wake_at, ${max}) between ?::int8 and ?::int8
                  order by r.shard, r.queue, coalesce(r.wake_at, ${max})
                  limit ?::int8),
                locked as materialized (
                  select ended.run_id, ended.ends
                  from ended cross join lateral (
                    select r.run_id
                    from ${schema}.run r
                    where r.shard = ended.shard and r.run_id = ended.run_id
                      and r.lease <> 0 and coalesce(r.wake_at, ${max}) + 0 <= ?::int8
                    for no key update skip locked) l)
                select (select count(*) from held),
                  (select min(ends) from held where ends > ?::int8),
                  (select count(*) from ended),
                  array(select run_id from locked order by ends),
                  least((select min(ends) from held), (select min(ends) from ended))
                """);
    }

    QueueTurn.Leases read(Connection connection, int shard, QueueClaim claim, Instant now) throws SQLException {
        if (claim.total() == 0) {
            return QueueTurn.Leases.NONE;
        }
        QueueFloors.Leases range = new QueueFloors.Leases(shard, claim.queue());
        long floor = floors.of(range, claim.floor(), now);
        long endedBy = Micros.of(QueueTurn.endedBy(claim, now));
        int most = QueueTurn.mostEnded(claim);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .text(claim.queue())
                    .bigint(Math.max(endedBy, floor - 1))
                    .bigint(claim.total())
                    .integer(shard)
                    .text(claim.queue())
                    .bigint(floor)
                    .bigint(endedBy)
                    .bigint(most)
                    .bigint(endedBy)
                    .bigint(Micros.of(now));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                long oldest = rows.getLong(5);
                floors.leases(range, rows.wasNull() ? Long.MAX_VALUE : oldest, now);
                return leases(rows, most);
            }
        }
    }

    private static QueueTurn.Leases leases(ResultSet rows, int most) throws SQLException {
        long nextEnd = rows.getLong(2);
        Instant next = rows.wasNull() ? null : Micros.toInstant(nextEnd);
        int found = rows.getInt(3);
        List<UUID> locked = List.of((UUID[]) rows.getArray(4).getArray());
        return new QueueTurn.Leases(rows.getInt(1) + found - locked.size(), next, locked, found < most);
    }
}
