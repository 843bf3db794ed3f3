package dev.dormouse.sqlite;

import dev.dormouse.store.Alarm;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.Micros;
import dev.dormouse.store.NextState;
import dev.dormouse.store.Outgoing;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves one run one step forward, or says why not. The row is read, and then changed by its key alone: under the write
 * lock nothing comes between. Three statements for a commit that appends events.
 */
final class Commits {
    static final String STANDING = """
            select status, lease, next_seq, mail, wake_at from dormouse_run
            where shard = ? and run_id = ?""";

    /** For a run that executes on: names no column of an index but {@code status}, so that the row alone is written. */
    static final String GO_ON = """
            update dormouse_run
            set status = ?, wake_reason = ?, next_seq = ?, checksum = ?, consumed = ?, trouble = ?,
              takeovers = iif(?, 0, takeovers), strikes = iif(?, 0, strikes), refused = coalesce(?, refused)
            where shard = ? and run_id = ?""";

    static final String MOVE = """
            update dormouse_run
            set status = ?, wake_reason = ?, next_seq = ?, checksum = ?, consumed = ?, trouble = ?,
              takeovers = iif(?, 0, takeovers), strikes = iif(?, 0, strikes), refused = coalesce(?, refused),
              lease = ?, lane = coalesce(?, lane), wake_at = iif(?, wake_at, ?),
              owner = iif(?, owner, ''), closed_at = iif(?, ?, null)
            where shard = ? and run_id = ?""";

    private Commits() {}

    /** What a fence is compared with. */
    private record Standing(
            RunStatus status,
            long lease,
            int nextSeq,
            long mail,
            @Nullable Instant wakeAt) {
        static Standing read(ResultSet row) throws SQLException {
            return new Standing(
                    RunStatus.of(row.getInt(1)),
                    row.getLong(2),
                    row.getInt(3),
                    row.getLong(4),
                    Instants.orNull(row, 5));
        }

        boolean fits(Fence fence) {
            return !status.isClosed()
                    && lease == fence.lease()
                    && nextSeq == fence.nextSeq()
                    && fence.fitsAlarm(wakeAt);
        }
    }

    static CommitOutcome apply(Tx tx, Commit commit) throws SQLException {
        return apply(tx, commit, () -> {});
    }

    /**
     * @param along what goes with it only if it is applied now, and not if it had been before
     */
    static CommitOutcome apply(Tx tx, Commit commit, Along along) throws SQLException {
        Optional<Standing> found =
                tx.call(STANDING).with(tx.shard()).with(commit.runId()).first(Standing::read);
        if (found.isEmpty()) {
            return new CommitOutcome.Fenced();
        }
        Standing run = found.get();
        Fence fence = commit.fence();
        if (!fence.fitsEpoch(SqliteStore.EPOCH)) {
            return new CommitOutcome.Fenced();
        }
        if (!run.fits(fence)) {
            return applied(tx, run, commit)
                    .<CommitOutcome>map(at -> new CommitOutcome.Committed(at, run.mail()))
                    .orElseGet(CommitOutcome.Fenced::new);
        }
        if (fence.mail() != Fence.ANY_MAIL && fence.mail() != run.mail()) {
            return new CommitOutcome.NewMail(run.mail());
        }
        if (Micros.of(fence.notBefore()) > tx.now()) {
            return new CommitOutcome.TooEarly(tx.at());
        }
        advance(tx, run, commit);
        along.go();
        return new CommitOutcome.Committed(tx.at(), run.mail());
    }

    @FunctionalInterface
    interface Along {
        void go() throws SQLException;
    }

    /** When this very commit was applied before; empty when it was not, or when the run is somebody else's by now. */
    private static Optional<Instant> applied(Tx tx, Standing run, Commit commit) throws SQLException {
        int seq = commit.fence().nextSeq();
        long lease = commit.next().lease();
        if (commit.append().count() > 0) {
            return run.lease() == lease || lease == RunRow.NO_LEASE
                    ? Histories.acceptedAt(
                            tx, commit.runId(), seq, commit.append().checksum())
                    : Optional.empty();
        }
        boolean isApplied = run.nextSeq() == seq
                && run.lease() == lease
                && lease != commit.fence().lease()
                && run.status().isClosed() == commit.next().status().isClosed();
        return isApplied ? Optional.of(tx.at()) : Optional.empty();
    }

    private static void advance(Tx tx, Standing run, Commit commit) throws SQLException {
        NextState next = commit.next();
        boolean goesOn = next.alarm() instanceof Alarm.Keep
                && next.lease() == run.lease()
                && next.lane() == null
                && States.hasOwner(next.status());
        Call call = state(tx.call(goesOn ? GO_ON : MOVE), commit);
        if (!goesOn) {
            place(tx, call, next);
        }
        call.with(tx.shard()).with(commit.runId()).update();
        Histories.append(tx, commit.runId(), commit.fence().nextSeq(), commit.append());
        for (Outgoing item : commit.outbox()) {
            Outbox.add(tx, item);
        }
    }

    private static Call state(Call call, Commit commit) throws SQLException {
        NextState next = commit.next();
        int count = commit.append().count();
        return call.with(next.status().code())
                .with(next.reason().code())
                .with(commit.fence().nextSeq() + count)
                .with(commit.append().checksum())
                .with(commit.consumed())
                .with(next.trouble())
                .with(count > 0)
                .with(count > 0)
                .with(next.refused());
    }

    private static void place(Tx tx, Call call, NextState next) throws SQLException {
        call.with(next.lease())
                .with(next.lane())
                .with(next.alarm() instanceof Alarm.Keep)
                .withOptional(Alarms.micros(tx, next.alarm()))
                .with(States.hasOwner(next.status()))
                .with(next.status().isClosed())
                .with(tx.now());
    }
}
