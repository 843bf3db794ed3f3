package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.ParentAndChildren;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Checksum;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.WakeReason;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Closes runs from outside, without a word to their code.
 *
 * <p>A run that has continued as new is closed already, and its successor may not be there yet. Then the successor is
 * started here, without a lease and for later, and closed: so it does not matter whether its start or the request to
 * terminate is carried out first, and neither waits for the other.
 *
 * <p>While a caller terminates a run, this node starts no successor of it: otherwise a run that continues without a pause
 * would always be a step ahead. Another node may; then the two race, and the caller tries again until its time is up.
 */
public final class Terminator {
    private static final int MOST_LOOKS = 10;

    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final Starter starter;
    private final Map<String, Integer> busyWith = new ConcurrentHashMap<>();

    public Terminator(NodeContext context, RunHost host, RunTable table, Starter starter) {
        this.context = context;
        this.host = host;
        this.table = table;
        this.starter = starter;
    }

    /** The next step towards closing a run. */
    sealed interface Move {

        /** There is nothing to close. */
        record Nothing() implements Move {}

        /** The run's successor is to be started; then look again. */
        record Begin(Starter.Opening opening) implements Move {}

        /** The run is to be closed by a commit. Look again if that is fenced. */
        record Close(RunRow row, Event event, Commit commit) implements Move {}
    }

    /**
     * Returns what to do next in order to close a run, or the last run that it has continued as.
     *
     * @param epoch the store's, known before this is called
     */
    Move next(int shard, String workflowId, UUID runId, String reason, String epoch) {
        for (int look = 0; look < MOST_LOOKS; look++) {
            RunRow row = lastOfChain(shard, workflowId, runId);
            if (row.status() != RunStatus.CONTINUED) {
                return close(row, reason, epoch);
            }
            RunRow current = context.store().current(shard, workflowId).orElse(row);
            if (!current.runId().equals(row.runId()) && !isOfChain(current, row)) {
                return new Move.Nothing(); // the chain has ended, and another run is in its place
            }
            UUID next = successor(row);
            Move.Begin begin = next == null ? null : begin(row, next);
            if (begin != null) {
                return begin;
            } else if (next == null || context.store().run(shard, next).isEmpty()) {
                return new Move.Nothing();
            } // otherwise it was started meanwhile
        }
        throw inTheWay("terminate", workflowId);
    }

    private Move close(RunRow row, String reason, String epoch) {
        if (row.status().isClosed()) {
            return new Move.Nothing();
        }
        Event.RunTerminated event = new Event.RunTerminated(context.clock().latest(), reason);
        return new Move.Close(row, event, closing(row, fence(row, epoch), event, RunStatus.TERMINATED));
    }

    private @Nullable UUID successor(RunRow row) {
        List<Event> events = History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
        return events.get(events.size() - 1) instanceof Event.RunContinued continued ? continued.nextRunId() : null;
    }

    /** Returns null where the outbox has no start of the successor. */
    private Move.@Nullable Begin begin(RunRow row, UUID next) {
        OutboxPage page = context.store().outgoing(row.shard(), next);
        for (Outgoing item : page.items()) {
            if (MessageCodec.decode(item.kind(), item.payload()) instanceof Message.StartRun start) {
                return new Move.Begin(
                        starter.openAsleep(row.workflowId(), start, OutboxFences.of(page, context.settings())));
            }
        }
        return null;
    }

    /** Closes a run at once, wherever it is; false when it was closed already. */
    public boolean terminate(int shard, String workflowId, UUID runId, String reason) {
        return terminate(workflowId, shard, epoch -> next(shard, workflowId, runId, reason, epoch));
    }

    /** Closes this very run at once; none that it has continued as is touched. */
    boolean terminateOnly(int shard, String workflowId, UUID runId, String reason) {
        return terminate(workflowId, shard, epoch -> close(context.find(shard, workflowId, runId), reason, epoch));
    }

    /** Whether a caller here is about to terminate a run of a workflow id, whose successors are not started meanwhile. */
    boolean isBusyWith(String workflowId) {
        return busyWith.containsKey(workflowId);
    }

    private boolean terminate(String workflowId, int shard, Function<String, Move> next) {
        busyWith.merge(workflowId, 1, Integer::sum);
        try {
            return terminateNow(workflowId, shard, next);
        } finally {
            busyWith.computeIfPresent(workflowId, (id, callers) -> callers == 1 ? null : callers - 1);
            host.outboxFilled();
        }
    }

    private boolean terminateNow(String workflowId, int shard, Function<String, Move> next) {
        BackOff backOff = new BackOff();
        long giveUp = context.threads().nanoTime() + Writers.LONGEST_CALL.toNanos();
        while (!context.isClosed()) {
            Move move = next.apply(context.epoch(shard));
            boolean goesOn;
            if (move instanceof Move.Begin begin) {
                StartOutcome outcome = context.writers(shard).start(begin.opening.start(), Writers.LONGEST_CALL);
                goesOn = hasBegun(begin, outcome);
            } else if (move instanceof Move.Close close) {
                CommitOutcome outcome = context.writers(shard).commitForCaller(close.commit);
                if (outcome instanceof CommitOutcome.Committed committed) {
                    closed(close, committed);
                    return true;
                }
                goesOn = checkFenced(workflowId, outcome);
            } else {
                return false;
            }
            if (context.threads().nanoTime() - giveUp >= 0) {
                throw inTheWay("terminate", workflowId);
            } else if (!goesOn) {
                host.sweepNow(); // the run has moved on, or the store is not the one this node knows
                context.threads().newGate().pass(backOff.next());
            }
        }
        throw new DormouseException(
                ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it was closed meanwhile.");
    }

    /** Returns whether the successor is there now, started here or by another node. */
    boolean hasBegun(Move.Begin begin, StartOutcome outcome) {
        if (outcome instanceof StartOutcome.Started) {
            starter.told(begin.opening.start(), begin.opening.first());
        } else if (outcome instanceof StartOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (outcome instanceof StartOutcome.Unknown unknown) {
            throw unknown.cause();
        }
        return outcome instanceof StartOutcome.Started || outcome instanceof StartOutcome.Exists;
    }

    /** Returns false for a fenced commit; throws for any other outcome. */
    private static boolean checkFenced(String workflowId, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (outcome instanceof CommitOutcome.Unknown unknown) {
            throw unknown.cause();
        } else if (outcome instanceof CommitOutcome.Locked) {
            throw inTheWay("terminate", workflowId);
        }
        return false;
    }

    /** Tells of a run that was closed. */
    void closed(Move.Close close, CommitOutcome.Committed committed) {
        context.telemetry().closed(close.row, RunStatus.TERMINATED, committed.at());
        stopEverywhere(close.row, close.event);
    }

    /** Closes a run whose start is delayed, and whose code has never run; false where that is not so. */
    public boolean cancelBeforeItBegins(RunRow row, String reason) {
        if (row.status() != RunStatus.PENDING || row.nextSeq() != 1 || row.wakeReason() != WakeReason.START) {
            return false;
        }
        Event.RunCanceled event = new Event.RunCanceled(context.clock().latest(), reason);
        Commit closing = closing(row, untouched(row, context.epoch(row.shard())), event, RunStatus.CANCELED);
        boolean closed = context.writers(row.shard()).commitForCaller(closing) instanceof CommitOutcome.Committed;
        if (closed) {
            context.telemetry().closed(row, RunStatus.CANCELED, event.at());
            stopEverywhere(row, event);
        }
        return closed;
    }

    /** The run itself, or the last of those that it has continued as. */
    RunRow lastOfChain(int shard, String workflowId, UUID runId) {
        RunRow row = context.find(shard, workflowId, runId);
        if (row.status() != RunStatus.CONTINUED) {
            return row;
        }
        RunRow current = context.store().current(shard, workflowId).orElse(row);
        return isOfChain(current, row) ? current : row;
    }

    /** Whether both are runs that continued as each other. */
    private boolean isOfChain(RunRow one, RunRow other) {
        return context.started(one)
                .chain(one.runId())
                .equals(context.started(other).chain(other.runId()));
    }

    static DormouseException inTheWay(String what, String workflowId) {
        return new DormouseException(
                ErrorCode.STORE_FAILED,
                "Expected to " + what + " the run of workflow id '" + workflowId + "' within " + Writers.LONGEST_CALL
                        + ", but others kept its row locked, or changed it, all that time. Try again.");
    }

    private static Fence fence(RunRow row, String epoch) {
        return Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch);
    }

    /** A commit that closes a run from outside. */
    Commit closing(RunRow row, Fence fence, Event event, RunStatus status) {
        byte[] payload = EventCodec.encode(List.of(event));
        Append append = new Append(1, payload, Checksum.next(row.checksum(), row.nextSeq(), 1, payload));
        return new Commit(row.runId(), fence, append, row.consumed(), NextState.closed(status), finalMessages(row, event));
    }

    /** A run whose history is damaged can be terminated too, but knows nothing of its kin any more. */
    private List<Outgoing> finalMessages(RunRow row, Event event) {
        try {
            List<Event> events = History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
            return new ParentAndChildren(row, events).finalMessages(event);
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            return List.of();
        }
    }

    private void stopEverywhere(RunRow row, Event closing) {
        LocalRun here = table.get(row.runId());
        if (here != null) {
            here.stop();
        } else if (!row.owner().isEmpty()) {
            context.store().notify(List.of(new Notice.LeaseLost(row.owner(), row.runId())));
        }
        host.closed(row.runId(), closing);
        host.outboxFilled();
    }

    /** Refuses if the run was claimed and given back since it was read: its code may have begun, and may still execute. */
    static Fence untouched(RunRow row, String epoch) {
        return Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch).withAlarm(row.wakeAt());
    }
}
