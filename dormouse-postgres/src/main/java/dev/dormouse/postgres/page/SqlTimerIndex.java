package dev.dormouse.postgres.page;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.page.AlarmProbe;
import dev.dormouse.store.page.AlarmRange;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.timer.SqlTimerStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One of the three indexes in timers.sql along which pending SQL timers are read. Each index has instants within lanes;
 * a lane is a role or a handler. Lanes are found by repeated index lookups, and a bounded number of rows is read in
 * each.
 */
final class SqlTimerIndex {
    /** {@code timers_pending_idx}, {@code timers_apart_idx}, {@code timers_handler_idx}. */
    static final List<SqlTimerIndex> ALL = List.of(
            new SqlTimerIndex("scheduled_by", "t.fire_at", "t.status = 0 and t.handler is null and not t.apart"),
            new SqlTimerIndex("scheduled_by", "t.fire_at", "t.status = 0 and t.handler is null and t.apart"),
            new SqlTimerIndex("handler", "coalesce(t.retry_at, t.fire_at)", "t.status = 0 and t.handler is not null"));

    private static final int LOOKS = 1_000;

    private final String lanes;
    private final String page;
    private final String crowd;
    private final String probe;
    private final String last;

    private SqlTimerIndex(String lane, String at, String which) {
        this.lanes = sql("""
                with recursive next as (
                  (select 1 as place, t.${lane} as lane from timers.timers t
                   where ${which}
                   order by t.${lane} limit 1)
                  union all
                  select n.place + 1, (
                    select t.${lane} from timers.timers t
                    where ${which} and t.${lane} > n.lane
                    order by t.${lane} limit 1)
                  from next n
                  where n.lane is not null and n.place < ?)
                select lane from next where lane is not null
                """, lane, at, which);
        this.page = sql("""
                with lanes as materialized (
                  select lane, ${since} as since, ${till} as before
                  from unnest(?::text[]) lane, (select ?::int8, ?::int8) as m(micros, end_micros)),
                found as materialized (
                  select lanes.lane, t.*
                  from lanes
                    cross join lateral (
                      select * from (
                        select t.*, ${at} as due, ${tie} as tie from timers.timers t
                        where ${which} and t.${lane} = lanes.lane and ${at} >= lanes.since and ${at} < ${end}
                        order by ${at} limit ?) t
                      where t.lease is null and (t.due > lanes.before or t.tie > ?)
                      order by t.due, t.tie limit ?) t)
                select
                  (select ${micros_of_stop}
                   from lanes
                     cross join lateral (
                       select case when count(*) < ? then ${end} else max(found.due) end as due
                       from found where found.lane = lanes.lane) last
                     cross join lateral (
                       select ${at} as due from timers.timers t
                       where ${which} and t.${lane} = lanes.lane and ${at} >= lanes.since and ${at} < ${end}
                         and ${at} <= last.due
                       order by ${at} offset ? limit 1) stop),
                  t.id is not null, ${columns}
                from (select 1) one
                  left join (select * from found order by due, tie limit ?) t on true
                order by t.due, t.tie
                """.replace("${micros_of_stop}", SqlTimerRows.micros("min(stop.due)")), lane, at, which);
        this.crowd = sql("""
                select ${columns}
                from (select lane, ${since} as instant from unnest(?::text[]) lane, (select ?::int8) as m(micros)) lanes
                  cross join lateral (
                    select t.*, ${tie} as tie from timers.timers t
                    where ${which} and t.${lane} = lanes.lane and ${at} = lanes.instant and t.lease is null and ${tie} > ?
                    order by ${tie} limit ?) t
                order by t.tie limit ?
                """, lane, at, which);
        this.probe = sql("""
                select seen.due, seen.looked, ${micros_of_last}
                from (select p.lane, ${since} as since, ${till} as till, p.place
                      from unnest(?::text[], ?::int8[], ?::int8[]) with ordinality as p(lane, micros, end_micros, place)) p
                  cross join lateral (
                    select count(*) filter (where t.lease is null) as due, count(*) as looked, max(t.due) as last
                    from (
                      select ${at} as due, t.lease from timers.timers t
                      where ${which} and t.${lane} = p.lane and ${at} >= p.since and ${at} < p.till and ${at} < ${end}
                      order by ${at} limit ?) t) seen
                order by p.place
                """.replace("${micros_of_last}", SqlTimerRows.micros("seen.last")), lane, at, which);
        this.last = sql("""
                select ${micros_of_last}
                from (
                  select max(latest.due) as last
                  from unnest(?::text[]) lane
                    cross join lateral (
                      select ${at} as due from timers.timers t
                      where ${which} and t.${lane} = lane and ${at} < ${end}
                      order by ${at} desc limit 1) latest) seen
                """.replace("${micros_of_last}", SqlTimerRows.micros("seen.last")), lane, at, which);
    }

    private static String sql(String template, String lane, String at, String which) {
        return template.replace("${columns}", SqlTimerRows.COLUMNS)
                .replace("${since}", SqlTimerRows.instant("micros"))
                .replace("${till}", SqlTimerRows.instant("end_micros"))
                .replace("${tie}", SqlTimerRows.TIE)
                .replace("${end}", SqlTimerRows.END)
                .replace("${lane}", lane)
                .replace("${at}", at)
                .replace("${which}", which);
    }

    List<String> lanes(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lanes)) {
            new Params(statement).integer(PageStore.MOST_LANES);
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        }
    }

    DuePage<SqlTimer> page(Connection connection, @Nullable DuePlace after, int limit) throws SQLException {
        List<String> all = lanes(connection);
        if (all.isEmpty()) {
            return new DuePage<>(List.of(), null);
        }
        long from = after == null ? SqlTimerRows.FIRST : DuePaging.begin(after);
        UUID behind = after == null ? new UUID(0, 0) : after.runId();
        int looks = LOOKS + limit;
        List<SqlTimer> timers = new ArrayList<>();
        Instant stop = null;
        try (PreparedStatement statement = connection.prepareStatement(page)) {
            new Params(statement)
                    .texts(all)
                    .bigint(from)
                    .bigint(after == null ? SqlTimerRows.FIRST : Micros.of(after.at()))
                    .integer(looks)
                    .uuid(behind)
                    .integer(limit + 1)
                    .integer(limit + 1)
                    .integer(looks - 1)
                    .integer(limit + 1);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    stop = RunRows.instantOrNull(rows, 1);
                    if (rows.getBoolean(2)) {
                        timers.add(SqlTimerRows.read(rows, 2));
                    }
                }
            }
        }
        return DuePaging.page(
                timers, stop, SqlTimerStore::place, after, limit, (place, most) -> crowd(connection, all, place, most));
    }

    private List<SqlTimer> crowd(Connection connection, List<String> all, DuePlace after, int most)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(crowd)) {
            new Params(statement)
                    .texts(all)
                    .bigint(Micros.of(after.at()))
                    .uuid(after.runId())
                    .integer(most)
                    .integer(most);
            List<SqlTimer> timers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    timers.add(SqlTimerRows.read(rows, 0));
                }
            }
            return timers;
        }
    }

    List<AlarmProbe> probe(Connection connection, List<AlarmRange> ranges, int most) throws SQLException {
        if (ranges.isEmpty()) {
            return List.of();
        }
        try (PreparedStatement statement = connection.prepareStatement(probe)) {
            new Params(statement)
                    .texts(ranges, AlarmRange::lane)
                    .bigints(ranges, range -> SqlTimerRows.since(range.from()))
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

    Optional<Instant> last(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(last)) {
            new Params(statement).texts(lanes(connection));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return Optional.ofNullable(RunRows.instantOrNull(rows, 1));
            }
        }
    }
}
