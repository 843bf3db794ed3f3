package dev.dormouse.sqlite.run;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.sqlite.sql.AlarmColumns;
import dev.dormouse.sqlite.sql.Epoch;
import dev.dormouse.sqlite.sql.StatementCall;
import dev.dormouse.sqlite.sql.StatusColumns;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The insertion of a run and its first event, unless its workflow id has a run that may not be replaced. */
public final class Starts {
    private static final String INSERT_ANY = """
            insert into dormouse_run (
              shard, run_id, workflow_id, current, type, lane, status, lease, owner, wake_at, wake_reason,
              known_seq, checksum, mail, consumed, takeovers, refused, trouble, created_at, closed_at%s)
            values (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?%s)
            on conflict do nothing""";

    static final String INSERT = INSERT_ANY.formatted("", "");

    /** For a run in a queue; other runs leave these columns at their defaults. */
    static final String INSERT_QUEUED = INSERT_ANY.formatted(", queue, priority, rate_key", ", ?, ?, ?");

    static final String RETIRE = """
            update dormouse_run set current = 0
            where shard = ? and run_id = ?""";

    private Starts() {}

    public static StartOutcome apply(Tx tx, Start start) throws SQLException {
        if (!start.fence().holds(Epoch.ONLY, tx.at())) {
            return new StartOutcome.Fenced();
        }
        if (insert(tx, start, 0, 0)) {
            return started(tx, start);
        }
        Optional<RunRow> own = RunStatements.byId(tx.session(), tx.shard(), start.runId());
        if (own.isPresent()) {
            return new StartOutcome.Exists(own.get());
        }
        RunRow current = RunStatements.current(tx.session(), tx.shard(), start.workflowId())
                .orElseThrow();
        if (!current.status().isClosed() || !start.replaces().contains(current.status())) {
            return new StartOutcome.Exists(current);
        }
        return replace(tx, start, current);
    }

    /**
     * Replaces a closed run. The inbox belongs to the workflow id, so the mail counter continues. The new run does not
     * receive earlier items, unless the old run is CONTINUED: then it receives the unread ones.
     */
    private static StartOutcome replace(Tx tx, Start start, RunRow closed) throws SQLException {
        tx.call(RETIRE).with(tx.shard()).with(closed.runId()).update();
        long consumed = closed.status() == RunStatus.CONTINUED ? closed.consumed() : closed.mail();
        if (!insert(tx, start, closed.mail(), consumed)) {
            throw new IllegalStateException(
                    "Expected room for a new run of " + start.workflowId() + ", but it has one.");
        }
        return started(tx, start);
    }

    private static StartOutcome started(Tx tx, Start start) throws SQLException {
        if (!HistoryStatements.append(tx, start.runId(), 0, start.first())) {
            throw new IllegalStateException(
                    "Expected no history of the new run " + start.runId() + ", but there is one.");
        }
        return new StartOutcome.Started(tx.at());
    }

    private static boolean insert(Tx tx, Start start, long mail, long consumed) throws SQLException {
        NextState next = start.next();
        RunStatus status = next.status();
        boolean isQueued = start.queued().isSomewhere();
        StatementCall call = tx.call(isQueued ? INSERT_QUEUED : INSERT)
                .with(tx.shard())
                .with(start.runId())
                .with(start.workflowId())
                .with(start.type())
                .with(Objects.requireNonNullElse(next.lane(), start.lane()))
                .with(status.code())
                .with(next.lease())
                .with(StatusColumns.hasOwner(status) ? start.owner() : "")
                .withOptional(AlarmColumns.micros(tx, next.alarm()))
                .with(next.reason().code())
                .with(start.first().count())
                .with(start.first().checksum())
                .with(mail)
                .with(consumed)
                .with(Objects.requireNonNullElse(next.refused(), ""))
                .with(next.trouble())
                .with(tx.now())
                .withOptional(closedAt(tx, status));
        return (isQueued ? place(call, start.queued()) : call).update() == 1;
    }

    private static StatementCall place(StatementCall call, Queued queued) throws SQLException {
        return call.with(queued.queue()).with(queued.priority()).with(queued.key());
    }

    private static @Nullable Long closedAt(Tx tx, RunStatus status) {
        return status.isClosed() ? tx.now() : null;
    }
}
