package dev.dormouse.postgres.claim;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A node's periodic sweep, in one statement: registers the node as alive and reads the nearest alarms. */
public final class SweepStatements {
    /** True if an alarm of the lanes has passed, and the nearest alarms that have not. */
    private static final String ALARMS = """
            exists (
              select 1
              from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                cross join lateral (
                  select 1
                  from ${schema}.run r
                  where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at <= ${now}
                  limit 1) c),
            array(
              select c.wake_at
              from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                cross join lateral (
                  select r.wake_at
                  from ${schema}.run r
                  where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at > ${now}
                  order by r.wake_at
                  limit ?::int8) c
              order by c.wake_at
              limit ?::int8)""";

    private final String sql;

    public SweepStatements(Schema schema, Epoch epoch) {
        this.sql = schema.sql("""
                with seen as (
                  insert into ${schema}.node as n (shard, node_id, build, lanes, started_at, seen_at,
                    name, executing, parked, slots, lease_period, recovered)
                  values (?, ?, ?, ?::text[], ${now}, ${now}, ?, ?, ?, ?, ?, ?)
                  on conflict (shard, node_id) do update
                  set build = excluded.build, lanes = excluded.lanes, seen_at = excluded.seen_at,
                    name = excluded.name, executing = excluded.executing, parked = excluded.parked,
                    slots = excluded.slots, lease_period = excluded.lease_period, recovered = excluded.recovered)
                select ${now}, %s, (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint,
                  %s,
                  exists (select 1 from ${schema}.outbox where shard = ?),
                  %s
                """.formatted(epoch.expression(), ALARMS, ALARMS));
    }

    public Swept run(Connection connection, int shard, Sweep sweep) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Params params = new Params(statement)
                    .integer(shard)
                    .text(sweep.nodeId())
                    .text(sweep.build())
                    .texts(sweep.served());
            NodeRegistry.bind(params, sweep.state());
            bindAlarms(params, shard, sweep.lanes(), sweep.alarms());
            params.integer(shard);
            bindAlarms(params, shard, sweep.queueLanes(), sweep.alarms());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return new Swept(
                        RunRows.instant(rows, 1),
                        rows.getString(2),
                        RunRows.instant(rows, 3),
                        rows.getBoolean(4),
                        instants((Long[]) rows.getArray(5).getArray()),
                        rows.getBoolean(6),
                        rows.getBoolean(7),
                        instants((Long[]) rows.getArray(8).getArray()));
            }
        }
    }

    private static void bindAlarms(Params params, int shard, List<String> lanes, int limit) throws SQLException {
        params.integer(shard)
                .texts(lanes)
                .integer(shard)
                .texts(lanes)
                .bigint(limit)
                .bigint(limit);
    }

    private static List<Instant> instants(Long[] micros) {
        return Stream.of(micros).map(Micros::toInstant).toList();
    }
}
