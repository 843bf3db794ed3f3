package dev.dormouse.postgres;

import dev.dormouse.store.Micros;
import dev.dormouse.store.Purged;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Deletes old closed runs. It walks along the primary key, because run ids are ordered by time, so that nothing else
 * needs an index for it. The inbox goes with the workflow id's current run: after that nobody can ask for its keys.
 */
final class PurgeStatement {
    private static final UUID FIRST = new UUID(0, 0);

    private final String sql;

    PurgeStatement(Schema schema) {
        this.sql = schema.sql("""
                with looked as materialized (
                  select r.shard, r.run_id
                  from ${schema}.run r
                  where r.shard = ? and r.run_id >= ? and (? or r.run_id > ?)
                  order by r.run_id
                  limit ?),
                old as materialized (
                  select locked.*
                  from looked cross join lateral (
                    select r.ctid as tid, r.shard, r.run_id
                    from ${schema}.run r
                    where r.shard = looked.shard and r.run_id = looked.run_id and r.closed_at < ?
                    for update skip locked) locked),
                d as (
                  delete from ${schema}.run r using old
                  where r.ctid = old.tid and r.shard = old.shard and r.run_id = old.run_id
                  returning r.run_id, r.workflow_id, r.current),
                h as (
                  delete from ${schema}.history
                  where shard = ? and run_id = any(array(select run_id from d))),
                i as (
                  delete from ${schema}.inbox
                  where shard = ? and workflow_id = any(array(select workflow_id from d where current)))
                select (select count(*) from looked), (select run_id from looked order by run_id desc limit 1),
                  (select count(*) from d)
                """);
    }

    Purged run(Connection connection, int shard, Instant closedBefore, Optional<UUID> after, int limit)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuid(after.orElse(FIRST))
                    .bool(after.isEmpty())
                    .uuid(after.orElse(FIRST))
                    .integer(limit)
                    .bigint(Micros.of(closedBefore))
                    .integer(shard)
                    .integer(shard);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                boolean end = rows.getInt(1) < limit;
                return new Purged(rows.getInt(3), end ? Optional.empty() : Optional.of(rows.getObject(2, UUID.class)));
            }
        }
    }
}
