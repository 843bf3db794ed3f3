package dev.dormouse.postgres.page;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.run.RunKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A census of runs: their number by status.
 *
 * <ul>
 *   <li>If there are few runs, each row is read.
 *   <li>Otherwise stuck and failed runs are found by their own index.
 *   <li>The remaining current runs are counted by id, without timers, if most of them are timers.
 *   <li>Otherwise held runs are among the first alarms of their lanes, because all leases end soon. Waiting runs, many
 *       of which have no alarm, are estimated from PostgreSQL's table statistics.
 * </ul>
 */
final class CensusStatements {
    private static final int FEWEST_IN_LANE = 100;

    /** If the table has this many times the number of rows that may be counted, counting is not attempted. */
    private static final int MANY = 4;

    private final String size;
    private final String newest;
    private final String troubled;
    private final String alarmed;
    private final String untimed;

    CensusStatements(Schema schema) {
        this.size = schema.sql("""
                select greatest(c.reltuples, 0)::int8,
                  coalesce((
                    select sum(f.part)
                    from pg_catalog.pg_stats s
                      cross join lateral unnest(s.most_common_vals::text::int4[], s.most_common_freqs) f(status, part)
                    where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = 'status'
                      and f.status = 3), 0)
                from pg_catalog.pg_class c
                  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                where c.oid = '${schema}.run'::regclass
                """);
        this.newest = schema.sql("""
                select r.status, left(r.type, 1), count(*)
                from (select r.status, r.type from ${schema}.run r where r.shard = ? order by r.run_id desc limit ?) r
                group by 1, 2
                """);
        this.troubled = schema.sql("""
                select r.status, left(r.type, 1), count(*)
                from (select ?::int as shard, status from unnest(array[4, 11, 13]::int2[]) status) s
                  cross join lateral (
                    select r.status, r.type from ${schema}.run r
                    where r.shard = s.shard and r.status = s.status and r.status in (4, 11, 13)
                    order by r.run_id desc limit ?) r
                group by 1, 2
                """);
        // ids of timers begin with '!', and '"' is the character after it
        this.untimed = schema.sql("""
                select r.status, left(r.type, 1), count(*)
                from (select ?::int as shard, ?::int as most) asked
                  cross join lateral (
                    (select r.status, r.type from ${schema}.run r
                     where r.shard = asked.shard and r.current and r.workflow_id < '!'
                     order by r.workflow_id limit asked.most)
                    union all
                    (select r.status, r.type from ${schema}.run r
                     where r.shard = asked.shard and r.current and r.workflow_id >= '"'
                     order by r.workflow_id limit asked.most)) r
                group by 1, 2
                """);
        this.alarmed = schema.sql("""
                select sum(seen.pending), sum(seen.running), sum(seen.parked), sum(seen.waiting),
                  bool_and(seen.looked < ? or seen.last > ${now} + 2 * greatest(
                    60000000, (select max(n.lease_period) from ${schema}.node n where n.shard = ?)))
                from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                  cross join lateral (
                    select count(*) as looked, max(r.wake_at) as last,
                      count(*) filter (where r.status = 0) as pending,
                      count(*) filter (where r.status = 1) as running,
                      count(*) filter (where r.status = 2) as parked,
                      count(*) filter (where r.status = 3) as waiting
                    from (
                      select r.status, r.wake_at from ${schema}.run r
                      where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at is not null
                      order by r.wake_at limit ?) r) seen
                """);
    }

    /**
     * Counts the runs of one shard.
     *
     * @param shards the number of shards that the table's rows are divided into
     */
    StatusCounts take(Connection connection, int shard, int shards, Set<RunKind> kinds, List<String> lanes)
            throws SQLException {
        Size all = size(connection);
        if (all.rows() <= (long) MANY * StatusCounts.MOST) {
            Numbers few = numbers(connection, newest, shard, StatusCounts.MOST + 1, kinds);
            if (few.looked <= StatusCounts.MOST) {
                return few.census();
            }
        }
        return many(connection, shard, kinds, lanes, Math.round(all.rows() * all.waiting() / shards));
    }

    private StatusCounts many(Connection connection, int shard, Set<RunKind> kinds, List<String> lanes, long waiting)
            throws SQLException {
        Numbers troubles = numbers(connection, troubled, shard, StatusCounts.MOST, kinds);
        boolean allTroubles = troubles.looked < StatusCounts.MOST;
        Numbers others = kinds.contains(RunKind.TIMER)
                ? null
                : numbers(connection, untimed, shard, StatusCounts.MOST + 1, kinds);
        if (others != null && others.looked <= StatusCounts.MOST) {
            return new StatusCounts(
                    Count.exactly(others.of(RunStatus.RUNNING)),
                    Count.exactly(others.of(RunStatus.PARKED)),
                    Count.exactly(others.of(RunStatus.WAITING, RunStatus.PENDING)),
                    new Count(troubles.of(RunStatus.STUCK), allTroubles),
                    new Count(troubles.of(RunStatus.FAILED, RunStatus.TIMED_OUT), allTroubles));
        }
        int inLane = Math.max(FEWEST_IN_LANE, StatusCounts.MOST / Math.max(1, lanes.size()));
        try (PreparedStatement statement = connection.prepareStatement(alarmed)) {
            new Params(statement)
                    .integer(inLane)
                    .integer(shard)
                    .integer(shard)
                    .texts(lanes)
                    .integer(inLane);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                boolean allHeld = row.getBoolean(5) || lanes.isEmpty();
                return new StatusCounts(
                        new Count(row.getLong(2), allHeld),
                        new Count(row.getLong(3), allHeld),
                        Count.about(row.getLong(1) + Math.max(row.getLong(4), waiting)),
                        new Count(troubles.of(RunStatus.STUCK), allTroubles),
                        new Count(troubles.of(RunStatus.FAILED, RunStatus.TIMED_OUT), allTroubles));
            }
        }
    }

    /**
     * PostgreSQL's latest statistics of the table.
     *
     * @param waiting the fraction of rows with status WAITING
     */
    private record Size(long rows, double waiting) {}

    private Size size(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(size);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return new Size(rows.getLong(1), rows.getDouble(2));
        }
    }

    private static Numbers numbers(Connection connection, String sql, int shard, int most, Set<RunKind> kinds)
            throws SQLException {
        Numbers numbers = new Numbers();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement).integer(shard).integer(most);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.looked += rows.getLong(3);
                    if (kinds.contains(RunKind.of(rows.getString(2)))) {
                        numbers.byStatus.merge(RunStatus.of(rows.getInt(1)), rows.getLong(3), Long::sum);
                    }
                }
            }
        }
        return numbers;
    }

    /** Run counts by status for the requested kinds, and the number of rows examined. */
    private static final class Numbers {
        private final Map<RunStatus, Long> byStatus = new EnumMap<>(RunStatus.class);
        private long looked;

        long of(RunStatus... statuses) {
            long sum = 0;
            for (RunStatus status : statuses) {
                sum += byStatus.getOrDefault(status, 0L);
            }
            return sum;
        }

        StatusCounts census() {
            return new StatusCounts(
                    Count.exactly(of(RunStatus.RUNNING)),
                    Count.exactly(of(RunStatus.PARKED)),
                    Count.exactly(of(RunStatus.WAITING, RunStatus.PENDING)),
                    Count.exactly(of(RunStatus.STUCK)),
                    Count.exactly(of(RunStatus.FAILED, RunStatus.TIMED_OUT)));
        }
    }
}
