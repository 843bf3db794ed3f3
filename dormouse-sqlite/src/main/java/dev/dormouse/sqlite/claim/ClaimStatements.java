package dev.dormouse.sqlite.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.RunRows;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The claim of runs whose alarm has passed. The index has the alarms of each lane in order: lanes are read one by one,
 * each only as far as it can still contribute to the oldest runs.
 */
public final class ClaimStatements {
    /** Counts the lease that expired; see {@link Claim}. */
    static final String COUNTED = """
            takeovers = takeovers + (lease <> 0 and wake_reason <> %d),
              strikes = strikes + (lease <> 0 and wake_reason = %d)""".formatted(WakeReason.CLAIMED.code(), WakeReason.PROBATION.code());

    static final String DUE = """
            select run_id, wake_at, wake_reason, status, owner from dormouse_run indexed by dormouse_run_alarm
            where shard = ? and lane = ? and wake_at between ? and ?
              and (lease = 0 or wake_at <= ?)
              and (refused = '' or wake_at <= ? or instr(' ' || refused || ' ', ' ' || ? || ' ') = 0)
            order by wake_at, run_id
            limit ?""";

    static final String TAKE = """
            update dormouse_run
            set status = %d, lease = ?, owner = ?, wake_at = ?,
              wake_reason = iif(takeovers > 0 or lease <> 0, %d, %d),
              %s
            where shard = ? and run_id = ?
            returning %s""".formatted(
                    RunStatus.RUNNING.code(),
                    WakeReason.CLAIMED.code(),
                    WakeReason.LEASE.code(),
                    ClaimStatements.COUNTED,
                    RunRows.COLUMNS);

    private ClaimStatements() {}

    private record Due(UUID runId, long alarm, WakeReason reason, RunStatus status, String owner) {
        static final Comparator<Due> OLDEST_FIRST =
                Comparator.comparingLong(Due::alarm).thenComparing(Due::runId, UuidBytes.ORDER);

        static Due read(ResultSet row) throws SQLException {
            return new Due(
                    UuidBytes.toId(row.getBytes(1)),
                    row.getLong(2),
                    WakeReason.of(row.getInt(3)),
                    RunStatus.of(row.getInt(4)),
                    row.getString(5));
        }
    }

    public static Claimed apply(Tx tx, Claim claim) throws SQLException {
        NavigableSet<Due> oldest = new TreeSet<>(Due.OLDEST_FIRST);
        for (String lane : new LinkedHashSet<>(claim.lanes())) {
            addDue(tx, claim, lane, oldest);
        }
        boolean isMore = oldest.size() > claim.limit();
        if (isMore) {
            oldest.pollLast();
        }
        List<Claimed.Run> runs = new ArrayList<>(oldest.size());
        for (Due due : oldest) {
            runs.add(new Claimed.Run(
                    take(tx, claim, due), Micros.toInstant(due.alarm()), due.reason(), due.status(), due.owner()));
        }
        return new Claimed(tx.at(), runs, isMore);
    }

    /** Keeps one run more than may be claimed, which shows that more runs are due. */
    private static void addDue(Tx tx, Claim claim, String lane, NavigableSet<Due> oldest) throws SQLException {
        tx.call(DUE)
                .with(tx.shard())
                .with(lane)
                .with(Micros.of(claim.floor()))
                .with(tx.now())
                .with(InstantColumns.floor(claim.takeOverBefore()))
                .with(tx.now() - Micros.of(claim.patience()))
                .with(claim.build())
                .with(claim.limit() + 1L)
                .each(row -> {
                    Due due = Due.read(row);
                    oldest.add(due);
                    return oldest.size() <= claim.limit() + 1L || !due.equals(oldest.pollLast());
                });
    }

    private static RunRow take(Tx tx, Claim claim, Due due) throws SQLException {
        return tx.call(TAKE)
                .with(claim.lease())
                .with(claim.owner())
                .with(tx.after(claim.leasePeriod()))
                .with(tx.shard())
                .with(due.runId())
                .all(RunRows::read)
                .get(0);
    }
}
