package dev.dormouse.sqlite.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.AlarmColumns;
import dev.dormouse.sqlite.sql.Epoch;
import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.StatementCall;
import dev.dormouse.sqlite.sql.StatusColumns;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The application of a commit to a run, or the reason why it was refused. The row is read and then updated by its key:
 * the transaction holds the write lock, so the row cannot change in between. A commit that appends events costs three
 * statements.
 */
public final class Commits {
    public static final String STANDING = """
            select status, lease, known_seq, mail, wake_at from dormouse_run
            where shard = ? and run_id = ?""";

    /**
     * The update for a run that continues to execute. The only indexed column that it sets is {@code status}, so
     * usually only the row is written.
     */
    public static final String GO_ON = """
            update dormouse_run
            set status = ?, wake_reason = ?, known_seq = ?, checksum = ?, consumed = ?, trouble = ?,
              takeovers = iif(?, 0, takeovers), strikes = iif(?, 0, strikes), refused = coalesce(?, refused)
            where shard = ? and run_id = ?""";

    public static final String MOVE = """
            update dormouse_run
            set status = ?, wake_reason = ?, known_seq = ?, checksum = ?, consumed = ?, trouble = ?,
              takeovers = iif(?, 0, takeovers), strikes = iif(?, 0, strikes), refused = coalesce(?, refused),
              lease = ?, lane = coalesce(?, lane), wake_at = iif(?, wake_at, ?),
              owner = iif(?, owner, ''), closed_at = iif(?, ?, null)
            where shard = ? and run_id = ?""";

    private Commits() {}

    /** The columns that a fence is compared with. */
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
                    InstantColumns.orNull(row, 5));
        }

        boolean fits(Fence fence) {
            return !status.isClosed()
                    && lease == fence.lease()
                    && nextSeq <= fence.nextSeq()
                    && fence.fitsAlarm(wakeAt);
        }
    }

    public static CommitOutcome apply(Tx tx, Commit commit) throws SQLException {
        return apply(tx, commit, () -> {});
    }

    /**
     * Applies {@code commit}.
     *
     * @param along runs only if the commit is applied now, not if it had been applied before
     */
    public static CommitOutcome apply(Tx tx, Commit commit, Along along) throws SQLException {
        Optional<Standing> found =
                tx.call(STANDING).with(tx.shard()).with(commit.runId()).first(Standing::read);
        if (found.isEmpty()) {
            return new CommitOutcome.Fenced();
        }
        Standing run = found.get();
        Fence fence = commit.fence();
        if (!fence.fitsEpoch(Epoch.ONLY)) {
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
        if (commit.append().count() > 0
                && !HistoryStatements.append(tx, commit.runId(), fence.nextSeq(), commit.append())) {
            return new CommitOutcome.Fenced(); // an append has taken the position
        }
        advance(tx, run, commit);
        along.go();
        return new CommitOutcome.Committed(tx.at(), run.mail());
    }

    @FunctionalInterface
    interface Along {
        void go() throws SQLException;
    }

    /** Returns when this commit was applied before. Empty if it was not, or if the run has another owner by now. */
    private static Optional<Instant> applied(Tx tx, Standing run, Commit commit) throws SQLException {
        int seq = commit.fence().nextSeq();
        long lease = commit.next().lease();
        if (commit.append().count() > 0) {
            return run.lease() == lease || lease == RunRow.NO_LEASE
                    ? HistoryStatements.acceptedAt(tx, commit.runId(), seq, commit.append())
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
                && StatusColumns.hasOwner(next.status());
        StatementCall call = state(tx.call(goesOn ? GO_ON : MOVE), commit);
        if (!goesOn) {
            place(tx, call, next);
        }
        call.with(tx.shard()).with(commit.runId()).update();
        for (Outgoing item : commit.outbox()) {
            OutboxStatements.add(tx, item);
        }
    }

    private static StatementCall state(StatementCall call, Commit commit) throws SQLException {
        NextState next = commit.next();
        int count = commit.append().count();
        boolean resetsCounters = count > 0 && next.isProgress();
        return call.with(next.status().code())
                .with(next.reason().code())
                .with(commit.fence().nextSeq() + count)
                .with(commit.append().checksum())
                .with(commit.consumed())
                .with(next.trouble())
                .with(resetsCounters)
                .with(resetsCounters)
                .with(next.refused());
    }

    private static void place(Tx tx, StatementCall call, NextState next) throws SQLException {
        call.with(next.lease())
                .with(next.lane())
                .with(next.alarm() instanceof Alarm.Keep)
                .withOptional(AlarmColumns.micros(tx, next.alarm()))
                .with(StatusColumns.hasOwner(next.status()))
                .with(next.status().isClosed())
                .with(tx.now());
    }
}
