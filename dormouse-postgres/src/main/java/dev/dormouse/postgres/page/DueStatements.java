package dev.dormouse.postgres.page;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.AlarmProbe;
import dev.dormouse.store.page.AlarmRange;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Statements that read alarms along their index, lane by lane, a bounded number in each lane. Lanes are found by
 * repeated index lookups for the next one.
 */
final class DueStatements {
    private static final int LOOKS = 1_000;

    private final String lanes;
    private final String page;
    private final String crowd;
    private final String probe;
    private final String roughProbe;
    private final String last;
    private final String overdue;

    DueStatements(Schema schema) {
        this.lanes = schema.sql("""
                with recursive next as (
                  (select 1 as place, r.lane from ${schema}.run r
                   where r.shard = ? and r.wake_at is not null
                   order by r.lane limit 1)
                  union all
                  select n.place + 1, (
                    select r.lane from ${schema}.run r
                    where r.shard = ? and r.lane > n.lane and r.wake_at is not null
                    order by r.lane limit 1)
                  from next n
                  where n.lane is not null and n.place < ?)
                select lane from next where lane is not null
                """);
        this.page = schema.sql("""
                with lanes as materialized (select ?::int as shard, lane from unnest(?::text[]) lane),
                found as materialized (
                  select r.*
                  from lanes
                    cross join lateral (
                      select * from (
                        select * from ${schema}.run r
                        where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at >= ?
                        order by r.wake_at limit ?) r
                      where (?::int >> r.wake_reason) & 1 = 1 and (r.wake_at > ? or r.run_id > ?)
                      order by r.wake_at, r.run_id limit ?) r)
                select
                  (select min(stop.wake_at)
                   from lanes
                     cross join lateral (
                       select case when count(*) < ? then 9223372036854775807 else max(found.wake_at) end as wake_at
                       from found where found.lane = lanes.lane) last
                     cross join lateral (
                       select r.wake_at from ${schema}.run r
                       where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at >= ?
                         and r.wake_at <= last.wake_at
                       order by r.wake_at offset ? limit 1) stop),
                  r.run_id is not null, %s
                from (select 1) one
                  left join (select * from found order by wake_at, run_id limit ?) r on true
                order by r.wake_at, r.run_id
                """.formatted(RunRows.COLUMNS));
        this.crowd = schema.sql("""
                select %s
                from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                  cross join lateral (
                    select * from ${schema}.run r
                    where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at = ?
                      and (?::int >> r.wake_reason) & 1 = 1 and r.run_id > ?
                    order by r.run_id limit ?) r
                order by r.run_id limit ?
                """.formatted(RunRows.COLUMNS));
        String probed = """
                select seen.due, seen.looked, seen.last
                from (select ?::int as shard, lane, since, till, place
                      from unnest(?::text[], ?::int8[], ?::int8[]) with ordinality as p(lane, since, till, place)) p
                  cross join lateral (
                    select count(*) filter (where %1$s) as due, count(*) as looked, max(r.wake_at) as last
                    from (
                      select %2$s from ${schema}.run r
                      where r.shard = p.shard and r.lane = p.lane and r.wake_at >= p.since and r.wake_at < p.till
                      order by r.wake_at limit ?) r) seen
                order by p.place
                """;
        this.probe = schema.sql(probed.formatted(
                "(" + WakeReason.setMask() + " >> r.wake_reason) & 1 = 1", "r.wake_at, r.wake_reason"));
        this.roughProbe = schema.sql(probed.formatted("true", "r.wake_at"));
        this.last = schema.sql("""
                select max(latest.wake_at)
                from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                  cross join lateral (
                    select r.wake_at from ${schema}.run r
                    where r.shard = lanes.shard and r.lane = lanes.lane and r.wake_at is not null
                    order by r.wake_at desc limit 1) latest
                """);
        this.overdue = schema.sql("""
                with recursive next as (
                  (select 1 as place, r.lane, r.wake_at from ${schema}.run r
                   where r.shard = ? and r.wake_at is not null
                   order by r.lane, r.wake_at limit 1)
                  union all
                  select n.place + 1, after.lane, after.wake_at
                  from next n
                    cross join lateral (
                      select r.lane, r.wake_at from ${schema}.run r
                      where r.shard = ? and r.lane > n.lane and r.wake_at is not null
                      order by r.lane, r.wake_at limit 1) after
                  where n.place < ?)
                select n.lane, n.wake_at, first.workflow_id
                from next n
                  cross join lateral (
                    select r.workflow_id from ${schema}.run r
                    where r.shard = ? and r.lane = n.lane and r.wake_at is not null
                    order by r.wake_at limit 1) first
                where n.wake_at < ?
                """);
    }

    /** Returns the lanes of the given kinds that have an alarm. */
    List<String> lanes(Connection connection, int shard, Set<RunKind> kinds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lanes)) {
            new Params(statement).integer(shard).integer(shard).integer(PageStore.MOST_LANES);
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String lane = rows.getString(1);
                    if (kinds.contains(RunKind.ofLane(lane))) {
                        found.add(lane);
                    }
                }
            }
            return found;
        }
    }

    DuePage<RunRow> page(Connection connection, int shard, List<String> lanes, @Nullable DuePlace after, int limit)
            throws SQLException {
        long from = after == null ? 0 : DuePaging.begin(after);
        UUID behind = after == null ? new UUID(0, 0) : after.runId();
        int looks = LOOKS + limit;
        List<RunRow> runs = new ArrayList<>();
        Instant stop = null;
        try (PreparedStatement statement = connection.prepareStatement(page)) {
            new Params(statement)
                    .integer(shard)
                    .texts(lanes)
                    .bigint(from)
                    .integer(looks)
                    .integer(WakeReason.setMask())
                    .bigint(after == null ? -1 : Micros.of(after.at()))
                    .uuid(behind)
                    .integer(limit + 1)
                    .integer(limit + 1)
                    .bigint(from)
                    .integer(looks - 1)
                    .integer(limit + 1);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    stop = RunRows.instantOrNull(rows, 1);
                    if (rows.getBoolean(2)) {
                        runs.add(RunRows.read(rows, 2));
                    }
                }
            }
        }
        return DuePaging.page(
                runs, stop, DuePlace::of, after, limit, (place, most) -> crowd(connection, shard, lanes, place, most));
    }

    private List<RunRow> crowd(Connection connection, int shard, List<String> lanes, DuePlace after, int most)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(crowd)) {
            new Params(statement)
                    .integer(shard)
                    .texts(lanes)
                    .bigint(Micros.of(after.at()))
                    .integer(WakeReason.setMask())
                    .uuid(after.runId())
                    .integer(most)
                    .integer(most);
            List<RunRow> runs = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    runs.add(RunRows.read(rows, 0));
                }
            }
            return runs;
        }
    }

    /**
     * Counts alarms in the given ranges.
     *
     * @param roughly counts all alarms, for which the index alone is read
     */
    List<AlarmProbe> probe(Connection connection, int shard, List<AlarmRange> ranges, int most, boolean roughly)
            throws SQLException {
        if (ranges.isEmpty()) {
            return List.of();
        }
        try (PreparedStatement statement = connection.prepareStatement(roughly ? roughProbe : probe)) {
            new Params(statement)
                    .integer(shard)
                    .texts(ranges, AlarmRange::lane)
                    .bigints(ranges, range -> Micros.of(range.from()))
                    .bigints(ranges, range -> Micros.of(range.to()))
                    .integer(most);
            List<AlarmProbe> probes = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    boolean isCut = rows.getInt(2) == most;
                    probes.add(new AlarmProbe(rows.getInt(1), isCut ? RunRows.instant(rows, 3) : null));
                }
            }
            return probes;
        }
    }

    List<OverdueLane> overdue(Connection connection, int shard, Instant before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(overdue)) {
            new Params(statement)
                    .integer(shard)
                    .integer(shard)
                    .integer(PageStore.MOST_LANES)
                    .integer(shard)
                    .bigint(Micros.of(before));
            List<OverdueLane> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new OverdueLane(rows.getString(1), RunRows.instant(rows, 2), rows.getString(3)));
                }
            }
            return found;
        }
    }

    Optional<Instant> last(Connection connection, int shard, List<String> lanes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(last)) {
            new Params(statement).integer(shard).texts(lanes);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return Optional.ofNullable(RunRows.instantOrNull(rows, 1));
            }
        }
    }
}
