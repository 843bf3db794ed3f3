package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.history.Checksum;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.history.SharedHistory;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Retries and resets. Each starts a run that shares a part of the history of another run, which it replaces.
 *
 * <p><b>Guarantee.</b> The id of the new run is derived from that of the old one. So a run has at most one successor,
 * however many callers ask, how often, and on which node. One of several concurrent callers starts it, and the others
 * find it. If a crash or a lost answer interrupts a call, repeating the call completes it. Thread-safe.
 */
public final class Resetter {
    private static final int MAIL_AT_ONCE = 1_000;
    private static final int TRIES = 5;
    private static final String REASON = "reset";

    private final NodeContext context;
    private final RunHost host;
    private final Starter starter;
    private final Terminator terminator;

    public Resetter(NodeContext context, RunHost host, Starter starter, Terminator terminator) {
        this.context = context;
        this.host = host;
        this.starter = starter;
        this.terminator = terminator;
    }

    /** Retries a run that has failed, timed out or is stuck. Returns the id of the run that continues. */
    public UUID retry(int shard, String workflowId, UUID runId) {
        RunRow row = terminator.lastOfChain(shard, workflowId, runId);
        if (row.status() == RunStatus.STUCK) {
            tryNow(row);
            return row.runId();
        } else if (row.status() != RunStatus.FAILED && row.status() != RunStatus.TIMED_OUT) {
            throw new DormouseException(
                    ErrorCode.RETRY_REFUSED,
                    "Expected run " + row.runId() + " of workflow id '" + workflowId
                            + "' to have failed, to have timed out or to be stuck, but it is " + row.status() + ". "
                            + (row.status().isClosed()
                                    ? "Use reset to continue from an earlier point."
                                    : "Wait for it."));
        }
        return startOver(row, RetryPoint.of(row, history(row)));
    }

    /** Restarts a run after its first {@code events} events. Returns the id of the new run. */
    public UUID reset(int shard, String workflowId, UUID runId, int events) {
        RunRow row = context.find(shard, workflowId, runId);
        List<Event> history = history(row);
        checkRange(row, history, events);
        if (!row.status().isClosed()) {
            checkChildren(row, shared(row, history, events));
            terminator.terminateOnly(shard, workflowId, runId, REASON);
            row = context.find(shard, workflowId, runId);
            history = history(row);
        }
        if (row.status() == RunStatus.CONTINUED) {
            throw new DormouseException(
                    ErrorCode.RESET_REFUSED,
                    "Expected the latest run of workflow id '" + workflowId + "', but run " + runId
                            + " has continued as a new one. Reset that one.");
        }
        return startOver(row, shared(row, history, events));
    }

    private static SharedHistory shared(RunRow row, List<Event> history, int events) {
        return new SharedHistory(row.runId(), history, row.consumed(), events, SharedHistory.NONE);
    }

    private List<Event> history(RunRow row) {
        return History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
    }

    private static void checkRange(RunRow row, List<Event> history, int events) {
        int most = SharedHistory.most(history);
        if (events < 1 || events > most) {
            throw new DormouseException(
                    ErrorCode.RESET_REFUSED,
                    "Expected to share 1 to " + most + " events of run " + row.runId() + " (workflow id '"
                            + row.workflowId() + "'), but got " + events
                            + ". Its history() shows them; 1 restarts it from the beginning.");
        }
    }

    /**
     * Throws if a shared child has not ended: its end would be lost if it came after the old run closed and before
     * the new one exists.
     */
    private void checkChildren(RunRow row, SharedHistory shared) {
        Map<Integer, Map.Entry<Event.ChildRequested, Integer>> waiting = new HashMap<>();
        shared.openChildren()
                .entrySet()
                .forEach(child -> waiting.put(child.getKey().call(), child));
        long position = shared.mail();
        while (!waiting.isEmpty() && position < row.mail()) {
            List<InboxMessage> items = context.store().mail(row.shard(), row.workflowId(), position, MAIL_AT_ONCE);
            items.forEach(item -> waiting.remove(shared.callOfEnded(item)));
            position =
                    items.isEmpty() ? row.mail() : items.get(items.size() - 1).position();
        }
        waiting.values().stream().min(Map.Entry.comparingByValue()).ifPresent(first -> {
            throw new DormouseException(
                    ErrorCode.RESET_REFUSED,
                    "Expected the children that are asked for in the first " + shared.events() + " events of run "
                            + row.runId() + " (workflow id '" + row.workflowId() + "') to have ended, but child '"
                            + first.getKey().workflowId()
                            + "' had not when the run closed, or has not yet. Share at most " + first.getValue()
                            + " events, so that it is started again.");
        });
    }

    private UUID startOver(RunRow row, SharedHistory shared) {
        UUID next = IdGenerator.following(row.runId(), Objects.requireNonNull(row.closedAt()));
        UUID latest = context.store()
                .current(row.shard(), row.workflowId())
                .orElse(row)
                .runId();
        if (latest.equals(row.runId())) {
            checkChildren(row, shared);
            start(row, shared, next);
        }
        RunRow known = context.store().run(row.shard(), next).orElseThrow(() -> replaced(row, latest));
        Origin.Reset reset = context.started(known).origin().reset();
        if (reset == null || reset.events() != shared.events()) {
            throw replaced(row, next); // another caller was first, with another number of events
        }
        return next;
    }

    private static DormouseException replaced(RunRow row, UUID latest) {
        return new DormouseException(
                ErrorCode.RUN_REPLACED,
                "Expected the latest run of workflow id '" + row.workflowId() + "', but run " + latest
                        + " has taken the place of run " + row.runId() + ". Retry or reset that one.");
    }

    private void start(RunRow row, SharedHistory shared, UUID next) {
        Instant now = context.clock().latest();
        Event.RunStarted old = context.started(row);
        List<Event> events = shared.startOf(next, now, deadline(old, now));
        byte[] payload = EventCodec.encode(events);
        Append append = new Append(events.size(), payload, Checksum.next(Checksum.EMPTY, 0, events.size(), payload));
        Start start = new Start(
                row.workflowId(),
                next,
                row.type(),
                Lanes.accepted(row.lane()),
                "",
                begin(old, shared),
                append,
                Set.of(row.status()),
                Starter.queued(old));
        StartedRun started = starter.start(start, (Event.RunStarted) events.get(0));
        if (!started.isNew()) {
            throw replaced(row, started.runId());
        }
    }

    /** Returns the initial state: due now, or at its start instant if the code has never run. */
    private static NextState begin(Event.RunStarted started, SharedHistory shared) {
        Instant startAt = started.startAt();
        return startAt == null || shared.hasBegun()
                ? NextState.pending(Alarm.NOW, WakeReason.HANDOVER)
                : NextState.pending(new Alarm.At(startAt), WakeReason.START);
    }

    /** Returns the deadline of the new run: it gets the same execution timeout as the old run. */
    private static @Nullable Instant deadline(Event.RunStarted old, Instant now) {
        Instant deadline = old.deadline();
        if (deadline == null) {
            return null;
        }
        Instant startAt = Objects.requireNonNullElse(old.startAt(), old.at());
        Origin.Reset reset = old.origin().reset();
        Instant begin = reset == null ? startAt : later(startAt, reset.at());
        return Starter.plus(later(startAt, now), Duration.between(begin, deadline));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Makes a stuck run due now for all nodes, including those that have refused it. */
    private void tryNow(RunRow stuck) {
        RunRow row = stuck;
        BackOff backOff = new BackOff();
        for (int i = 0; i < TRIES && row.status() == RunStatus.STUCK; i++) {
            CommitOutcome outcome = context.writers(row.shard()).commitForCaller(alarmNow(row));
            if (outcome instanceof CommitOutcome.Committed) {
                Instant now = context.clock().latest();
                host.arm(row.lane(), now);
                context.notifyNodes(row.shard(), Lanes.accepted(row.lane()), now);
                return;
            } else if (outcome instanceof CommitOutcome.Rejected rejected) {
                throw rejected.reason();
            } else if (outcome instanceof CommitOutcome.Unknown unknown) {
                throw unknown.cause();
            }
            host.sweepNow(); // the run has changed, or the store has failed over
            context.threads().newGate().pass(backOff.next());
            row = context.find(row.shard(), row.workflowId(), row.runId());
        }
        if (row.status() == RunStatus.STUCK) {
            throw Terminator.contended("retry", row.workflowId());
        }
    }

    private Commit alarmNow(RunRow row) {
        return new Commit(
                row.runId(),
                Fence.of(row.lease(), row.nextSeq()).inEpoch(context.epoch(row.shard())),
                Append.nothing(row.checksum()),
                row.consumed(),
                NextState.stuck(Alarm.NOW, row.trouble()).inLane(Lanes.accepted(row.lane()), ""),
                List.of());
    }
}
