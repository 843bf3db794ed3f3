package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.store.Alarm;
import dev.dormouse.store.Append;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.NextState;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes runs that no node executes, from outside: sets the alarm of one that has not begun, or cancels one. */
final class IdleRuns {
    private final Engine engine;
    private final Terminator terminator;

    /** What to do with a run in the state that was read; null for nothing. */
    private interface Change {
        @Nullable
        Commit of(RunRow row, String epoch);
    }

    IdleRuns(Engine engine, Terminator terminator) {
        this.engine = engine;
        this.terminator = terminator;
    }

    /** Lets a run begin at another instant, null for now; false where there is none of this type, or it has begun. */
    boolean setAlarm(int shard, String workflowId, String type, @Nullable Instant at) {
        Alarm alarm = at == null ? Alarm.NOW : new Alarm.At(at);
        RunRow changed = change(shard, workflowId, type, (row, epoch) -> begins(row, epoch, alarm));
        if (changed == null) {
            return false;
        }
        wakeSomebody(changed, at);
        return true;
    }

    private static @Nullable Commit begins(RunRow row, String epoch, Alarm alarm) {
        if (row.status() != RunStatus.PENDING || row.nextSeq() != 1) {
            return null;
        }
        Fence fence = Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch);
        NextState next = NextState.pending(alarm, WakeReason.START);
        return new Commit(row.runId(), fence, Append.nothing(row.checksum()), row.consumed(), next, List.of());
    }

    private void wakeSomebody(RunRow row, @Nullable Instant at) {
        Instant alarm = at == null ? engine.clock().latest() : at;
        if (engine.serves(row.type(), row.lane())) {
            engine.arm(row.lane(), alarm);
        }
        engine.ring(row.shard(), row.lane(), alarm);
    }

    /** Closes a run as cancelled; false where there is none of this type, it executes, or has come to another end. */
    boolean cancel(int shard, String workflowId, String type, String reason) {
        Event.RunCanceled event = new Event.RunCanceled(engine.clock().latest(), reason);
        RunRow canceled = change(
                shard,
                workflowId,
                type,
                (row, epoch) -> row.status().isClosed() || row.lease() != RunRow.NO_LEASE
                        ? null
                        : terminator.closing(row, epoch, event, RunStatus.CANCELED));
        if (canceled == null) {
            return engine.store()
                    .current(shard, workflowId)
                    .filter(row -> row.type().equals(type) && row.status() == RunStatus.CANCELED)
                    .isPresent();
        }
        engine.closed(canceled.runId(), event);
        return true;
    }

    /** Returns the run as it was before it was changed; null where it was not. */
    private @Nullable RunRow change(int shard, String workflowId, String type, Change change) {
        BackOff backOff = new BackOff();
        long giveUp = engine.threads().nanoTime() + Writers.LONGEST_CALL.toNanos();
        while (!engine.isClosed()) {
            String epoch = engine.epoch(shard);
            RunRow row = engine.store()
                    .current(shard, workflowId)
                    .filter(found -> found.type().equals(type))
                    .orElse(null);
            Commit commit = row == null ? null : change.of(row, epoch);
            if (commit == null) {
                return null;
            }
            CommitOutcome outcome = engine.writers(shard).commitForCaller(commit);
            if (outcome instanceof CommitOutcome.Committed) {
                return row;
            }
            checkTryAgain(outcome, workflowId, giveUp);
            engine.sweepNow(); // the run has moved on, or the store is not the one this node knows
            engine.threads().newGate().pass(backOff.next());
        }
        throw new DormouseException(
                ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it was closed meanwhile.");
    }

    private void checkTryAgain(CommitOutcome outcome, String workflowId, long giveUp) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (outcome instanceof CommitOutcome.Unknown unknown) {
            throw unknown.cause();
        } else if (outcome instanceof CommitOutcome.Locked || engine.threads().nanoTime() - giveUp >= 0) {
            throw Terminator.inTheWay("change", workflowId);
        }
    }
}
