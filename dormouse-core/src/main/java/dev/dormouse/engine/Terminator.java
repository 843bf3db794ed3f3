package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Checksum;
import dev.dormouse.history.Event;
import dev.dormouse.history.EventCodec;
import dev.dormouse.history.History;
import dev.dormouse.store.Append;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.NextState;
import dev.dormouse.store.Notice;
import dev.dormouse.store.Outgoing;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.WakeReason;
import java.util.List;
import java.util.UUID;

/** Closes runs from outside, without a word to their code. */
final class Terminator {
    private final Engine engine;

    Terminator(Engine engine) {
        this.engine = engine;
    }

    /** Closes a run at once, wherever it is; false when it was closed already. */
    boolean terminate(int shard, String workflowId, UUID runId, String reason) {
        return terminate(shard, workflowId, runId, reason, true);
    }

    /** The same for this very run: none that it has continued as is touched. */
    boolean terminateOnly(int shard, String workflowId, UUID runId, String reason) {
        return terminate(shard, workflowId, runId, reason, false);
    }

    private boolean terminate(int shard, String workflowId, UUID runId, String reason, boolean follow) {
        BackOff backOff = new BackOff();
        long giveUp = engine.threads().nanoTime() + Writers.LONGEST_CALL.toNanos();
        while (!engine.isClosed()) {
            String epoch = engine.epoch(shard);
            RunRow row = follow ? lastOfChain(shard, workflowId, runId) : engine.find(shard, workflowId, runId);
            if (row.status().isClosed() && (!follow || row.status() != RunStatus.CONTINUED || isReplaced(row))) {
                return false;
            } else if (row.status() == RunStatus.CONTINUED) { // the next one is about to be started
                if (engine.threads().nanoTime() - giveUp >= 0) {
                    throw inTheWay("terminate", workflowId);
                }
                engine.outboxFilled();
                engine.threads().newGate().pass(backOff.next());
                continue;
            }
            Event.RunTerminated event = new Event.RunTerminated(engine.clock().latest(), reason);
            CommitOutcome outcome =
                    engine.writers(shard).commitForCaller(closing(row, epoch, event, RunStatus.TERMINATED));
            if (outcome instanceof CommitOutcome.Committed committed) {
                engine.witness().closed(row, RunStatus.TERMINATED, committed.at());
                stopEverywhere(row, event);
                return true;
            } else if (outcome instanceof CommitOutcome.Rejected rejected) {
                throw rejected.reason();
            } else if (outcome instanceof CommitOutcome.Unknown unknown) {
                throw unknown.cause();
            } else if (outcome instanceof CommitOutcome.Locked
                    || engine.threads().nanoTime() - giveUp >= 0) {
                throw inTheWay("terminate", workflowId);
            }
            engine.sweepNow(); // the run has moved on, or the store is not the one this node knows
            engine.threads().newGate().pass(backOff.next());
        }
        throw new DormouseException(
                ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it was closed meanwhile.");
    }

    /** Closes a run whose start is delayed, and whose code has never run; false where that is not so. */
    boolean cancelBeforeItBegins(RunRow row, String reason) {
        if (row.status() != RunStatus.PENDING || row.nextSeq() != 1 || row.wakeReason() != WakeReason.START) {
            return false;
        }
        Event.RunCanceled event = new Event.RunCanceled(engine.clock().latest(), reason);
        Commit closing = closing(row, engine.epoch(row.shard()), event, RunStatus.CANCELED);
        boolean closed = engine.writers(row.shard()).commitForCaller(closing) instanceof CommitOutcome.Committed;
        if (closed) {
            engine.witness().closed(row, RunStatus.CANCELED, event.at());
            stopEverywhere(row, event);
        }
        return closed;
    }

    /** The run itself, or the last of those that it has continued as. */
    RunRow lastOfChain(int shard, String workflowId, UUID runId) {
        RunRow row = engine.find(shard, workflowId, runId);
        if (row.status() != RunStatus.CONTINUED) {
            return row;
        }
        RunRow current = engine.store().current(shard, workflowId).orElse(row);
        UUID chain = engine.started(row).chain(row.runId());
        return engine.started(current).chain(current.runId()).equals(chain) ? current : row;
    }

    /** Whether the workflow id has a later run. */
    private boolean isReplaced(RunRow row) {
        RunRow current = engine.store().current(row.shard(), row.workflowId()).orElse(row);
        return !current.runId().equals(row.runId());
    }

    static DormouseException inTheWay(String what, String workflowId) {
        return new DormouseException(
                ErrorCode.STORE_FAILED,
                "Expected to " + what + " the run of workflow id '" + workflowId + "' within " + Writers.LONGEST_CALL
                        + ", but others kept its row locked, or changed it, all that time. Try again.");
    }

    /** A commit that closes a run from outside. */
    Commit closing(RunRow row, String epoch, Event event, RunStatus status) {
        byte[] payload = EventCodec.encode(List.of(event));
        Append append = new Append(1, payload, Checksum.next(row.checksum(), row.nextSeq(), 1, payload));
        Fence fence = Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch);
        return new Commit(row.runId(), fence, append, row.consumed(), NextState.closed(status), farewell(row, event));
    }

    /** A run whose history is damaged can be terminated too, but knows nothing of its kin any more. */
    private List<Outgoing> farewell(RunRow row, Event event) {
        try {
            List<Event> events = History.read(row, engine.store().histories(row.shard(), List.of(row.runId())));
            return new Kin(row, events).farewell(event);
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            return List.of();
        }
    }

    private void stopEverywhere(RunRow row, Event closing) {
        RunExecution here = engine.table().get(row.runId());
        if (here != null) {
            here.stop();
        } else if (!row.owner().isEmpty()) {
            engine.store().notify(List.of(new Notice.LeaseLost(row.owner(), row.runId())));
        }
        engine.closed(row.runId(), closing);
        engine.outboxFilled();
    }
}
