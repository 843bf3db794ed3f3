package dev.dormouse.postgres.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.postgres.run.InlineHistory;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The claim of runs whose alarm has passed, oldest first.
 *
 * <p>Each lane is a short scan of the alarm index, from the floor to now. The oldest candidates of all lanes are merged
 * and then locked in that order, skipping rows that are locked, until the limit is reached. PostgreSQL reads a locked
 * row again, so the conditions are repeated. The repeated condition compares {@code coalesce(r.wake_at, …)}, so that it
 * cannot use the alarm index: a plan that was made while the table was empty would otherwise search that index for each
 * candidate. There are more candidates than the limit, so that nodes that claim at the same moment take different runs.
 */
public final class ClaimStatements {
    private static final int CANDIDATES_PER_RUN = 3;

    /** Counts the lease that expired; see {@link Claim}. */
    static final String COUNTED = """
            takeovers = r.takeovers + case when r.lease <> 0 and r.wake_reason <> %d then 1 else 0 end,
            strikes = r.strikes + case when r.lease <> 0 and r.wake_reason = %d then 1 else 0 end\
            """.formatted(WakeReason.CLAIMED.code(), WakeReason.PROBATION.code());

    private final String sql;

    public ClaimStatements(Schema schema) {
        String mine = """
                (r.lease = 0 or r.wake_at <= ?::int8)
                and (r.refused = '' or r.wake_at <= ${now} - ?::int8
                  or strpos(' ' || r.refused || ' ', ' ' || ?::text || ' ') = 0)
                """;
        this.sql = schema.sql("""
                with due as materialized (
                  select c.*
                  from (select ?::int as shard, lane from unnest(?::text[]) lane) lanes
                    cross join lateral (
                      select r.shard, r.run_id, r.wake_at
                      from ${schema}.run r
                      where r.shard = lanes.shard and r.lane = lanes.lane
                        and r.wake_at >= ?::int8 and r.wake_at <= ${now}
                        and %s
                      order by r.wake_at
                      limit ?::int8) c
                  order by c.wake_at, c.run_id
                  limit ?::int8),
                l as materialized (
                  select due.shard, due.run_id, locked.*
                  from due cross join lateral (
                    select r.ctid as tid, r.wake_at, r.wake_reason, r.status, r.owner
                    from ${schema}.run r
                    where r.shard = due.shard and r.run_id = due.run_id
                      and coalesce(r.wake_at, ${max}) <= ${now}
                      and %s
                    for no key update skip locked) locked
                  limit ?::int8),
                u as (
                  update ${schema}.run r
                  set status = 1, lease = ?::int8, owner = ?::text, wake_at = ${now} + ?::int8,
                      wake_reason = case when r.takeovers > 0 or r.lease <> 0 then ?::int2 else ?::int2 end,
                      %s
                  from l
                  where r.ctid = l.tid and r.shard = l.shard and r.run_id = l.run_id
                  returning l.wake_at as alarm, l.wake_reason as reason, l.status as before, l.owner as holder, %s, r.inline_history)
                select one.*, u.*
                from (select ${now} as now, (select count(*) from due) as candidates) one left join u on true
                order by u.alarm, u.run_id
                """.formatted(mine, mine, COUNTED, RunRows.COLUMNS));
    }

    public Claimed run(Connection connection, int shard, Claim claim) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(new Params(statement), shard, claim);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows, claim.limit());
            }
        }
    }

    private static void bind(Params params, int shard, Claim claim) throws SQLException {
        long candidates = (long) claim.limit() * CANDIDATES_PER_RUN;
        params.integer(shard).texts(claim.lanes()).bigint(Micros.of(claim.floor()));
        bindMine(params, claim);
        params.bigint(candidates).bigint(candidates);
        bindMine(params, claim);
        params.bigint(claim.limit())
                .bigint(claim.lease())
                .text(claim.owner())
                .delay(claim.leasePeriod())
                .integer(WakeReason.CLAIMED.code())
                .integer(WakeReason.LEASE.code());
    }

    private static void bindMine(Params params, Claim claim) throws SQLException {
        params.bigint(Micros.of(claim.takeOverBefore())).delay(claim.patience()).text(claim.build());
    }

    private static Claimed read(ResultSet rows, int limit) throws SQLException {
        List<Claimed.Run> runs = new ArrayList<>();
        rows.next();
        Instant now = RunRows.instant(rows, 1);
        long candidates = rows.getLong(2);
        do {
            rows.getLong(3);
            if (!rows.wasNull()) {
                RunRow row = RunRows.read(rows, 6);
                runs.add(new Claimed.Run(
                        row,
                        RunRows.instant(rows, 3),
                        WakeReason.of(rows.getInt(4)),
                        RunStatus.of(rows.getInt(5)),
                        rows.getString(6),
                        InlineHistory.whole(row, rows.getBytes(6 + RunRows.NUMBER + 1))));
            }
        } while (rows.next());
        return new Claimed(now, runs, isMore(runs.size(), limit, candidates));
    }

    /**
     * Returns true if more runs are due. Runs that are locked by other sessions do not count, because their holders act
     * on them.
     */
    private static boolean isMore(int claimed, int limit, long candidates) {
        return claimed == limit ? candidates > limit : candidates == (long) limit * CANDIDATES_PER_RUN;
    }
}
