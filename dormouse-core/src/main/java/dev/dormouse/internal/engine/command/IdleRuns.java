package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.WakeReason;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes runs that no node executes, from outside: sets the alarm of one that has not begun, or cancels one. In a
 * transaction of the caller's, where a connection is given, the run stays locked until that ends.
 */
public final class IdleRuns {
    private final NodeContext context;
    private final RunHost host;
    private final Terminator terminator;

    /** A run that is to be of a type, and the transaction in which it is to be changed, null for none. */
    public record Target(
            int shard,
            String workflowId,
            String type,
            @Nullable Connection connection) {}

    /** What to do with a run in the state that was read; null for nothing. */
    private interface Change {
        @Nullable
        Commit of(RunRow row, String epoch);
    }

    public IdleRuns(NodeContext context, RunHost host, Terminator terminator) {
        this.context = context;
        this.host = host;
        this.terminator = terminator;
    }

    /** Lets a run begin at another instant; false where there is none of this type, or it has begun. */
    public boolean setAlarm(Target run, Instant at) {
        RunRow changed = change(run, (row, epoch) -> begins(row, epoch, at));
        if (changed == null) {
            return false;
        }
        if (run.connection == null) {
            wakeSomebody(changed, at);
        }
        return true;
    }

    private static @Nullable Commit begins(RunRow row, String epoch, Instant at) {
        if (row.status() != RunStatus.PENDING || row.nextSeq() != 1 || row.takeovers() > 0 || mayExecute(row)) {
            return null;
        }
        NextState next = NextState.pending(new Alarm.At(at), WakeReason.START);
        return new Commit(
                row.runId(),
                Terminator.untouched(row, epoch),
                Append.nothing(row.checksum()),
                row.consumed(),
                next,
                List.of());
    }

    /** Whether a node has given it up in the middle of a step, which may go on there. */
    private static boolean mayExecute(RunRow row) {
        return row.lease() != RunRow.NO_LEASE
                || row.status() == RunStatus.PENDING
                        && row.wakeReason() != WakeReason.START
                        && row.wakeReason() != WakeReason.RATE;
    }

    private void wakeSomebody(RunRow row, Instant at) {
        if (host.serves(row.type(), row.lane())) {
            host.arm(row.lane(), at);
        }
        context.notifyNodes(row.shard(), row.lane(), at);
    }

    /** Closes a run as cancelled; false where there is none of this type, it executes, or has come to another end. */
    public boolean cancel(Target run, String reason) {
        Event.RunCanceled event = new Event.RunCanceled(context.clock().latest(), reason);
        RunRow canceled = change(
                run,
                (row, epoch) -> row.status().isClosed() || mayExecute(row)
                        ? null
                        : terminator.closing(row, Terminator.untouched(row, epoch), event, RunStatus.CANCELED));
        if (canceled == null) {
            return read(run).filter(row -> row.status() == RunStatus.CANCELED).isPresent();
        }
        if (run.connection == null) {
            context.telemetry().closed(canceled, RunStatus.CANCELED, event.at());
            host.closed(canceled.runId(), event);
            host.outboxFilled();
        }
        return true;
    }

    private Optional<RunRow> read(Target run) {
        Optional<RunRow> found = run.connection == null
                ? context.store().current(run.shard, run.workflowId)
                : context.store().currentWithin(run.connection, run.shard, run.workflowId);
        return found.filter(row -> row.type().equals(run.type));
    }

    private CommitOutcome send(Target run, RunRow row, Commit commit) {
        return run.connection == null
                ? context.writers(run.shard).commitForCaller(commit)
                : context.store().commitWithin(run.connection, run.shard, row.lane(), commit);
    }

    /** Returns the run as it was before it was changed; null where it was not. */
    private @Nullable RunRow change(Target run, Change change) {
        BackOff backOff = new BackOff();
        long giveUp = context.threads().nanoTime() + Writers.LONGEST_CALL.toNanos();
        while (!context.isClosed()) {
            String epoch = context.epoch(run.shard);
            RunRow row = read(run).orElse(null);
            Commit commit = row == null ? null : change.of(row, epoch);
            if (row == null || commit == null) {
                return null;
            }
            CommitOutcome outcome = send(run, row, commit);
            if (outcome instanceof CommitOutcome.Committed) {
                return row;
            }
            checkTryAgain(outcome, run.workflowId, giveUp);
            host.sweepNow(); // the run has moved on, or the store is not the one this node knows
            context.threads().newGate().pass(backOff.next());
        }
        throw new DormouseException(
                ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it was closed meanwhile.");
    }

    private void checkTryAgain(CommitOutcome outcome, String workflowId, long giveUp) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (outcome instanceof CommitOutcome.Unknown unknown) {
            throw unknown.cause();
        } else if (outcome instanceof CommitOutcome.Locked || context.threads().nanoTime() - giveUp >= 0) {
            throw Terminator.inTheWay("change", workflowId);
        }
    }
}
