package dev.dormouse.sqlite.claim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.RunRows;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.UuidBytes;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.queue.QueueTurn;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The claim of a queue's runs. The transaction holds the write lock, so what it reads stays true until it commits. Each
 * lane and priority is a short index range, and only ranges that can still contribute are read.
 */
public final class QueueClaims {
    static final String DUE = """
            select run_id, wake_at, wake_reason, rate_key, status, owner
            from dormouse_run indexed by dormouse_run_queued
            where shard = ? and lane = ? and priority = ? and (wake_reason in (0, 2)) = ? and wake_at <= ?
              and queue <> '' and queue = ?
              and (lease = 0 or wake_at <= ?)
              and (refused = '' or wake_at <= ? or instr(' ' || refused || ' ', ' ' || ? || ' ') = 0)
            order by wake_at, run_id
            limit ?""";

    static final String COUNT_LEASES = """
            select count(*), min(iif(wake_at > ?, wake_at, null)) from (
              select wake_at from dormouse_run indexed by dormouse_run_queue_lease
              where shard = ? and queue = ? and queue <> '' and lease <> 0 and wake_at > ?)""";

    static final String ENDED = """
            select run_id from dormouse_run indexed by dormouse_run_queue_lease
            where shard = ? and queue = ? and queue <> '' and lease <> 0 and wake_at <= ?
            order by wake_at
            limit ?""";

    static final String MOVE = """
            update dormouse_run set wake_at = ?, wake_reason = %d
            where shard = ? and run_id = ?""".formatted(WakeReason.RATE.code());

    static final String VOID = """
            update dormouse_run set status = %d, lease = 0, owner = '',
              %s
            where shard = ? and run_id = ?""".formatted(RunStatus.PENDING.code(), ClaimStatements.COUNTED);

    private QueueClaims() {}

    /** A due run, and its status and owner before the claim. */
    private record Due(QueueTurn.Candidate candidate, RunStatus status, String owner) {
        static Due read(ResultSet row, int priority) throws SQLException {
            QueueTurn.Candidate candidate = new QueueTurn.Candidate(
                    UuidBytes.toId(row.getBytes(1)),
                    priority,
                    Micros.toInstant(row.getLong(2)),
                    WakeReason.of(row.getInt(3)),
                    row.getString(4));
            return new Due(candidate, RunStatus.of(row.getInt(5)), row.getString(6));
        }
    }

    public static QueueClaimed apply(Tx tx, QueueClaim claim) throws SQLException {
        QueueTurn turn = new QueueTurn(claim, tx.at(), leases(tx, claim), QueueRates.ofQueue(tx, claim));
        Map<UUID, Due> due = new HashMap<>();
        for (boolean begins : List.of(true, false)) {
            addDue(tx, claim, begins, turn.window(begins), due);
        }
        List<QueueTurn.Candidate> candidates = due.values().stream()
                .map(Due::candidate)
                .sorted(QueueTurn.Candidate.ORDER)
                .toList();
        QueueTurn.Decision decision = turn.decide(candidates, QueueRates.ofKeys(tx, claim, candidates));
        QueueRates.remember(tx, claim, decision);
        for (UUID runId : decision.voided()) {
            tx.call(VOID).with(tx.shard()).with(runId).update();
        }
        for (Map.Entry<UUID, Instant> move : decision.moved().entrySet()) {
            tx.call(MOVE)
                    .with(Micros.of(move.getValue()))
                    .with(tx.shard())
                    .with(move.getKey())
                    .update();
        }
        List<Claimed.Run> runs = new ArrayList<>();
        for (UUID runId : decision.taken()) {
            runs.add(take(tx, claim, Objects.requireNonNull(due.get(runId))));
        }
        return QueueClaimed.of(tx.at(), runs, decision);
    }

    private static QueueTurn.Leases leases(Tx tx, QueueClaim claim) throws SQLException {
        if (claim.total() == 0) {
            return QueueTurn.Leases.NONE;
        }
        long endedBy = Micros.of(QueueTurn.endedBy(claim, tx.at()));
        int most = QueueTurn.mostEnded(claim);
        List<UUID> ended = tx.call(ENDED)
                .with(tx.shard())
                .with(claim.queue())
                .with(endedBy)
                .with(most)
                .all(row -> UuidBytes.toId(row.getBytes(1)));
        return tx.call(COUNT_LEASES)
                .with(tx.now())
                .with(tx.shard())
                .with(claim.queue())
                .with(endedBy)
                .all(row ->
                        new QueueTurn.Leases(row.getInt(1), InstantColumns.orNull(row, 2), ended, ended.size() < most))
                .get(0);
    }

    private static void addDue(Tx tx, QueueClaim claim, boolean begins, int most, Map<UUID, Due> due)
            throws SQLException {
        int enough = due.size() + most;
        for (int each = Queued.HIGHEST; each >= 0 && due.size() < enough; each--) {
            int priority = each;
            for (String lane : new LinkedHashSet<>(claim.lanes())) {
                tx.call(DUE)
                        .with(tx.shard())
                        .with(lane)
                        .with(priority)
                        .with(begins)
                        .with(tx.now())
                        .with(claim.queue())
                        .with(Micros.of(QueueTurn.endedBy(claim, tx.at())))
                        .with(tx.now() - Micros.of(claim.patience()))
                        .with(claim.build())
                        .with(most)
                        .all(row -> Due.read(row, priority))
                        .forEach(run -> due.put(run.candidate().runId(), run));
            }
        }
    }

    private static Claimed.Run take(Tx tx, QueueClaim claim, Due due) throws SQLException {
        RunRow row = tx.call(ClaimStatements.TAKE)
                .with(claim.lease())
                .with(claim.owner())
                .with(tx.after(claim.leasePeriod()))
                .with(tx.shard())
                .with(due.candidate().runId())
                .all(RunRows::read)
                .get(0);
        return new Claimed.Run(row, due.candidate().alarm(), due.candidate().reason(), due.status(), due.owner());
    }
}
