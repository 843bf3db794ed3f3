package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.ParentAndChildren;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.StartOutcome;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The termination of runs from outside, without executing their code.
 *
 * <p><b>Guarantee.</b> {@link #terminate} returns true only after the commit that closes the run. That commit is
 * fenced by the lease and {@code known_seq} that were read. The owner of the run is notified and stops; until then its
 * own commits are fenced.
 *
 * <p><b>Outcomes of the closing commit.</b>
 *
 * <ul>
 *   <li>{@code Committed}: callers, the parent and the children are notified.
 *   <li>{@code Fenced}: the run has changed since it was read, or the store failed over. It is read again and the
 *       next try follows.
 *   <li>{@code Locked}, {@code Rejected}: the caller gets an exception.
 *   <li>{@code Unknown}: the answer is lost and further tries were not answered in time. The caller gets an exception
 *       and may repeat the call: a run that is closed already is not closed twice.
 * </ul>
 *
 * <p><b>Continued runs.</b> A run that has continued as new is closed already, and its successor may not exist yet.
 * Then the successor is started here, without a lease and with an alarm in the future, and closed. So it does not
 * matter whether its start or the request to terminate is carried out first, and neither waits for the other.
 *
 * <p><b>Races.</b> While a caller terminates a run, this node starts no successor of it: otherwise a run that
 * continues without a pause would always be one step ahead. Another node may start one; then the two race, and the
 * caller tries again until its time limit expires. Thread-safe.
 */
public final class Terminator {
    private static final int MOST_LOOKS = 10;

    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final Starter starter;
    private final Map<String, Integer> terminating = new ConcurrentHashMap<>();

    public Terminator(NodeContext context, RunHost host, RunTable table, Starter starter) {
        this.context = context;
        this.host = host;
        this.table = table;
        this.starter = starter;
    }

    /** The next step toward closing a run. */
    sealed interface Move {

        /** No run is left to close. */
        record Nothing() implements Move {}

        /** The run's successor must be started; then look again. */
        record Begin(Starter.Opening opening) implements Move {}

        /** The run must be closed by a commit. Look again if that is fenced. */
        record Close(RunRow row, Event event, RunStatus status, Commit commit) implements Move {}
    }

    /**
     * Returns the next move to close a run, or the last run of its chain of continuations.
     *
     * @param epoch the store's epoch, known before this is called
     */
    Move next(int shard, String workflowId, UUID runId, String reason, String epoch) {
        for (int look = 0; look < MOST_LOOKS; look++) {
            RunRow row = lastOfChain(shard, workflowId, runId);
            if (row.status() != RunStatus.CONTINUED) {
                return close(row, reason, epoch);
            }
            RunRow current = context.store().current(shard, workflowId).orElse(row);
            if (!current.runId().equals(row.runId()) && !isOfChain(current, row)) {
                return new Move.Nothing(); // the chain has ended, and an unrelated run has the workflow id
            }
            UUID next = successor(row);
            Move.Begin begin = next == null ? null : begin(row, next);
            if (begin != null) {
                return begin;
            } else if (next == null || context.store().run(shard, next).isEmpty()) {
                return new Move.Nothing();
            } // otherwise the successor was started meanwhile
        }
        throw contended("terminate", workflowId);
    }

    private Move close(RunRow row, String reason, String epoch) {
        if (row.status().isClosed()) {
            return new Move.Nothing();
        }
        Event.RunTerminated event = new Event.RunTerminated(context.clock().latest(), reason);
        return close(row, event, RunStatus.TERMINATED, fence(row, epoch));
    }

    private Move.Close close(RunRow row, Event event, RunStatus status, Fence fence) {
        return new Move.Close(row, event, status, closing(row, fence, event, status));
    }

    private @Nullable UUID successor(RunRow row) {
        List<Event> events = History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
        return events.get(events.size() - 1) instanceof Event.RunContinued continued ? continued.nextRunId() : null;
    }

    /** Returns the start of the successor; null if the outbox does not contain it. */
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

    /**
     * Closes a run at once, on whichever node it executes. Returns false if it was closed already.
     *
     * @throws DormouseException STORE_FAILED if locks of other transactions blocked the commit for too long
     */
    public boolean terminate(int shard, String workflowId, UUID runId, String reason) {
        return terminate(workflowId, shard, epoch -> next(shard, workflowId, runId, reason, epoch));
    }

    /** Closes exactly this run, and not the runs that continue it. Returns false if it was closed already. */
    boolean terminateOnly(int shard, String workflowId, UUID runId, String reason) {
        return terminate(workflowId, shard, epoch -> close(context.find(shard, workflowId, runId), reason, epoch));
    }

    /**
     * Returns true if a caller on this node is terminating a run of a workflow id. Its successors are not started
     * meanwhile.
     */
    boolean isTerminating(String workflowId) {
        return terminating.containsKey(workflowId);
    }

    private boolean terminate(String workflowId, int shard, Function<String, Move> next) {
        terminating.merge(workflowId, 1, Integer::sum);
        try {
            return terminateNow(workflowId, shard, next);
        } finally {
            terminating.computeIfPresent(workflowId, (id, callers) -> callers == 1 ? null : callers - 1);
            host.outboxFilled();
        }
    }

    private boolean terminateNow(String workflowId, int shard, Function<String, Move> next) {
        BackOff backOff = new BackOff();
        long giveUp = context.threads().nanoTime() + Writers.LONGEST_CALL.toNanos();
        boolean isTaken = false;
        while (!context.isClosed()) {
            Move move = next.apply(context.epoch(shard));
            boolean hasProgressed;
            if (move instanceof Move.Begin begin) {
                StartOutcome outcome = context.writers(shard).start(begin.opening.start(), Writers.LONGEST_CALL);
                hasProgressed = hasBegun(begin, outcome);
            } else if (move instanceof Move.Close close) {
                CommitOutcome outcome = context.writers(shard).commitForCaller(close.commit);
                if (outcome instanceof CommitOutcome.Committed committed) {
                    closed(close, committed);
                    return true;
                }
                hasProgressed = checkFenced(workflowId, outcome);
                isTaken = isTaken || takeLeaseAway(close.row);
            } else {
                return false;
            }
            if (context.threads().nanoTime() - giveUp >= 0) {
                throw contended("terminate", workflowId);
            } else if (!hasProgressed) {
                host.sweepNow(); // the run has changed, or the store has failed over
                context.threads().newGate().pass(backOff.next());
            }
        }
        throw new DormouseException(
                ErrorCode.DORMOUSE_CLOSED, "Expected an open Dormouse, but it was closed meanwhile.");
    }

    /**
     * Takes the lease of a run away from a node that has appended another event first, and would do so again. Returns true
     * if that was done.
     */
    private boolean takeLeaseAway(RunRow known) {
        Commit taking = takingAway(known);
        if (taking == null
                || !(context.writers(known.shard()).commitForCaller(taking) instanceof CommitOutcome.Committed)) {
            return false;
        }
        takenAway(taking, known.owner());
        return true;
    }

    /**
     * Returns a commit that takes the lease of a run away from its node, so that the node stops and appends no more. If
     * this node dies afterwards, the run is taken over when the new lease ends. Returns null if the run has another state
     * or owner than {@code known} by now.
     */
    @Nullable
    Commit takingAway(RunRow known) {
        RunRow row = context.store().run(known.shard(), known.runId()).orElse(known);
        if (row.status() != RunStatus.RUNNING
                || row.owner().isEmpty()
                || !row.owner().equals(known.owner())) {
            return null;
        }
        return new Commit(
                row.runId(),
                fence(row, context.epoch(row.shard())),
                Append.nothing(row.checksum()),
                row.consumed(),
                NextState.running(context.ids().lease(), context.settings().leasePeriod()),
                List.of());
    }

    /** Notifies the node whose lease was taken away. */
    void takenAway(Commit taking, String owner) {
        LocalRun local = table.get(taking.runId());
        if (local != null) {
            local.lost(taking.fence().lease());
        } else {
            context.store().notify(List.of(new Notice.LeaseLost(owner, taking.runId())));
        }
    }

    /** Returns true if the successor exists now, started here or by another node. */
    boolean hasBegun(Move.Begin begin, StartOutcome outcome) {
        if (outcome instanceof StartOutcome.Started) {
            starter.reportStarted(begin.opening.start(), begin.opening.first());
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
            throw contended("terminate", workflowId);
        }
        return false;
    }

    /** Reports a run that was closed, and stops its execution on this or another node. */
    void closed(Move.Close close, CommitOutcome.Committed committed) {
        context.telemetry().closed(close.row, close.status, committed.at());
        stopEverywhere(close.row, close.event);
    }

    /**
     * Cancels a run with a delayed start whose code has never run. Returns false if it is not such a run, or has
     * changed.
     */
    public boolean cancelBeforeItBegins(RunRow row, String reason) {
        Move.Close close = cancelOfUnbegun(row, reason, context.epoch(row.shard()));
        if (close != null
                && context.writers(row.shard()).commitForCaller(close.commit)
                        instanceof CommitOutcome.Committed committed) {
            closed(close, committed);
            return true;
        }
        return false;
    }

    /** Returns the closing of a run with a delayed start whose code has never run; null if it is not such a run. */
    Move.@Nullable Close cancelOfUnbegun(RunRow row, String reason, String epoch) {
        if (row.status() != RunStatus.PENDING || row.nextSeq() != 1 || row.wakeReason() != WakeReason.START) {
            return null;
        }
        Event.RunCancelled event = new Event.RunCancelled(context.clock().latest(), reason);
        return close(row, event, RunStatus.CANCELLED, untouched(row, epoch));
    }

    /** Returns the run itself, or the last run of its chain of continuations. */
    RunRow lastOfChain(int shard, String workflowId, UUID runId) {
        RunRow row = context.find(shard, workflowId, runId);
        if (row.status() != RunStatus.CONTINUED) {
            return row;
        }
        RunRow current = context.store().current(shard, workflowId).orElse(row);
        return isOfChain(current, row) ? current : row;
    }

    /** Returns true if both runs are of the same chain of continuations. */
    private boolean isOfChain(RunRow one, RunRow other) {
        return context.started(one)
                .chain(one.runId())
                .equals(context.started(other).chain(other.runId()));
    }

    static DormouseException contended(String what, String workflowId) {
        return new DormouseException(
                ErrorCode.STORE_FAILED,
                "Expected to " + what + " the run of workflow id '" + workflowId + "' within " + Writers.LONGEST_CALL
                        + ", but other transactions kept its row locked, or changed it, all that time. Try again.");
    }

    private static Fence fence(RunRow row, String epoch) {
        return Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch);
    }

    /**
     * Returns a commit that closes a run from outside, after the events that it has now. If its owner appends another
     * one meanwhile, the commit is fenced.
     */
    Commit closing(RunRow row, Fence fence, Event event, RunStatus status) {
        List<HistoryRow> rows = context.store().histories(row.shard(), List.of(row.runId()));
        History.End end = History.end(row, rows);
        return new Commit(
                row.runId(),
                fence.at(end.events()),
                end.append(List.of(event)),
                row.consumed(),
                NextState.closed(status),
                finalMessages(row, rows, event));
    }

    /**
     * Returns the outbox items for the parent and children. Empty if the history is damaged: such a run can be
     * terminated too.
     */
    private static List<Outgoing> finalMessages(RunRow row, List<HistoryRow> rows, Event event) {
        try {
            return new ParentAndChildren(row, History.read(row, rows)).finalMessages(event);
        } catch (DormouseException damaged) {
            return List.of();
        }
    }

    private void stopEverywhere(RunRow row, Event closing) {
        LocalRun local = table.get(row.runId());
        if (local != null) {
            local.stop();
        } else if (!row.owner().isEmpty()) {
            context.store().notify(List.of(new Notice.LeaseLost(row.owner(), row.runId())));
        }
        host.closed(row.runId(), closing);
        host.outboxFilled();
    }

    /**
     * Returns a fence that refuses if the run was claimed and released since it was read: its code may have started,
     * and may still execute.
     */
    static Fence untouched(RunRow row, String epoch) {
        return Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch).withAlarm(row.wakeAt());
    }
}
