package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
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
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a caller makes to runs that no node executes: moving the alarm of a run that has not started, and
 * cancelling a run. With a connection the change is part of the caller's transaction, and the run stays locked until
 * that ends.
 *
 * <p>Each change is a commit fenced by the lease, {@code known_seq}, epoch and alarm that were read. If a node has
 * claimed the run meanwhile, the commit is refused and the run is read again. If the answer is lost, the call throws
 * and the caller must repeat it. Thread-safe.
 */
public final class IdleRuns {
    private final NodeContext context;
    private final RunHost host;
    private final Terminator terminator;

    /**
     * The current run of a workflow id, if it has this type. {@code connection} is the connection of the caller's
     * transaction; null for none.
     */
    public record Target(
            int shard,
            String workflowId,
            String type,
            @Nullable Connection connection) {}

    /** A function that returns the commit for the run as it was read; null for no change. */
    private interface Change {
        @Nullable
        Commit of(RunRow row, String epoch);
    }

    public IdleRuns(NodeContext context, RunHost host, Terminator terminator) {
        this.context = context;
        this.host = host;
        this.terminator = terminator;
    }

    /** Moves the start of a run to {@code at}. Returns false if there is no run of this type, or it has started. */
    public boolean setAlarm(Target run, Instant at) {
        RunRow changed = change(run, (row, epoch) -> begins(row, epoch, at));
        if (changed == null) {
            return false;
        }
        if (run.connection == null) {
            announceAlarm(changed, at);
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

    /**
     * Returns true if a node may execute the run: it has a lease, or was released in the middle of a step that may
     * continue there.
     */
    private static boolean mayExecute(RunRow row) {
        return row.lease() != RunRow.NO_LEASE
                || row.status() == RunStatus.PENDING
                        && row.wakeReason() != WakeReason.START
                        && row.wakeReason() != WakeReason.RATE;
    }

    private void announceAlarm(RunRow row, Instant at) {
        if (host.serves(row.type(), row.lane())) {
            host.arm(row.lane(), at);
        }
        context.notifyNodes(row.shard(), row.lane(), at);
    }

    /**
     * Closes a run as cancelled. Returns false if there is no run of this type, it executes, or it has ended
     * otherwise.
     */
    public boolean cancel(Target run, String reason) {
        Event.RunCancelled event = new Event.RunCancelled(context.clock().latest(), reason);
        RunRow cancelled = change(
                run,
                (row, epoch) -> row.status().isClosed() || mayExecute(row)
                        ? null
                        : terminator.closing(row, Terminator.untouched(row, epoch), event, RunStatus.CANCELLED));
        if (cancelled == null) {
            return read(run).filter(row -> row.status() == RunStatus.CANCELLED).isPresent();
        }
        if (run.connection == null) {
            context.telemetry().closed(cancelled, RunStatus.CANCELLED, event.at());
            host.closed(cancelled.runId(), event);
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

    /** Returns the row before the change; null if nothing was changed. */
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
            host.sweepNow(); // the run has changed, or the store has failed over
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
            throw Terminator.contended("change", workflowId);
        }
    }
}
