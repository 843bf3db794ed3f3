package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Purged;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The deletion of old closed runs. Scans the primary key, which is ordered by start time because run ids are, so that
 * no extra index is needed. Deletes the inbox and subscriptions of a workflow id together with its current run, which
 * is its latest. Keeps a current run with status {@code CONTINUED} (15), because its successor replaces it.
 */
public final class PurgeStatements {
    private static final UUID FIRST = new UUID(0, 0);

    private final String sql;

    public PurgeStatements(Schema schema) {
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
                      and not (r.current and r.status = 15)
                    for update skip locked) locked),
                d as (
                  delete from ${schema}.run r using old
                  where r.ctid = old.tid and r.shard = old.shard and r.run_id = old.run_id
                  returning r.shard, r.run_id, r.workflow_id, r.current),
                events as materialized (
                  select d.shard, h.ctid as tid
                  from d cross join lateral (
                    select h.ctid from ${schema}.history h where h.shard = d.shard and h.run_id = d.run_id offset 0) h),
                h as (
                  delete from ${schema}.history h using events e where h.ctid = e.tid and h.shard = e.shard),
                notes as materialized (
                  select d.shard, n.ctid as tid
                  from d cross join lateral (
                    select n.ctid from ${schema}.note n where n.shard = d.shard and n.run_id = d.run_id offset 0) n),
                n as (
                  delete from ${schema}.note n using notes t where n.ctid = t.tid and n.shard = t.shard),
                mail as materialized (
                  select d.shard, i.ctid as tid
                  from d cross join lateral (
                    select i.ctid from ${schema}.inbox i
                    where d.current and i.shard = d.shard and i.workflow_id = d.workflow_id
                    offset 0) i),
                i as (
                  delete from ${schema}.inbox i using mail m where i.ctid = m.tid and i.shard = m.shard),
                subscriptions as materialized (
                  select d.shard, s.ctid as tid
                  from d cross join lateral (
                    select s.ctid from ${schema}.subscription s
                    where d.current and s.shard = d.shard and s.workflow_id = d.workflow_id
                    offset 0) s),
                s as (
                  delete from ${schema}.subscription s using subscriptions t where s.ctid = t.tid and s.shard = t.shard)
                select (select count(*) from looked), (select run_id from looked order by run_id desc limit 1),
                  (select count(*) from d)
                """);
    }

    public Purged run(Connection connection, int shard, Instant closedBefore, Optional<UUID> after, int limit)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuid(after.orElse(FIRST))
                    .bool(after.isEmpty())
                    .uuid(after.orElse(FIRST))
                    .integer(limit)
                    .bigint(Micros.of(closedBefore));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                boolean end = rows.getInt(1) < limit;
                return new Purged(rows.getInt(3), end ? Optional.empty() : Optional.of(rows.getObject(2, UUID.class)));
            }
        }
    }
}
