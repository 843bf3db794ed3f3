package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunLauncher;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Checksum;
import dev.dormouse.internal.history.ChildStart;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.base.Shards;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.sql.Connection;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The start of runs. A run starts on this node, under a lease of this node, if the node has its code and a free place.
 * Otherwise it is inserted without a lease, and any node that serves its lane claims it when it is due.
 *
 * <p><b>Guarantee.</b> A workflow id has at most one open run. A start is one insert, which returns the existing run
 * if there is one that the start may not replace. Sending the same start again has no further effect.
 *
 * <p><b>Outcomes.</b>
 *
 * <ul>
 *   <li>{@code Started}: the run exists. If it has this node's lease, it is executed here; otherwise its lane is
 *       announced.
 *   <li>{@code Exists} with the same run id: an earlier try of this start was applied. If the run still has its lease
 *       and has not progressed, it is executed here, and renews its lease first.
 *   <li>{@code Exists} with another run id: the workflow id already has that run, which is returned.
 *   <li>{@code Rejected}, {@code Locked}, {@code Fenced}: this try has inserted nothing. The caller gets an exception.
 *   <li>{@code Unknown}: the answer is lost and further tries were not answered in time. The caller gets an exception
 *       and may start the same workflow id again. If the run was inserted with this node's lease, any node takes the
 *       run over when the lease expires.
 * </ul>
 *
 * <p>A place that is reserved for a run is released unless the run is executed here ({@link #settle}, {@link
 * #abandon}). Thread-safe.
 */
public final class Starter {
    /** The statuses of runs that a replacement child or a debounced start may replace. */
    static final Set<RunStatus> ENDED = Set.of(
            RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELLED);

    private static final Set<RunStatus> ENDED_WITHOUT_RESULT =
            Set.of(RunStatus.FAILED, RunStatus.TERMINATED, RunStatus.TIMED_OUT, RunStatus.CANCELLED);

    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final ServedCode served;
    private final RunLauncher launcher;
    private final UnservedLanes unserved;

    public Starter(
            NodeContext context,
            RunHost host,
            RunTable table,
            ServedCode served,
            RunLauncher launcher,
            UnservedLanes unserved) {
        this.context = context;
        this.host = host;
        this.table = table;
        this.served = served;
        this.launcher = launcher;
        this.unserved = unserved;
    }

    public StartedRun start(NewRun wanted) {
        Event.RunStarted first = firstEvent(wanted);
        UUID runId = context.ids().run(first.at());
        return start(wanted.workflowId(), runId, first, wanted.replaces(), Writers.LONGEST_CALL);
    }

    /** Starts a run that shares the history of another one. It has no lease, so any node may claim it. */
    public StartedRun start(Start start, Event.RunStarted first) {
        StartOutcome outcome = context.writers(shard(start.workflowId())).start(start, Writers.LONGEST_CALL);
        StartedRun started = started(outcome, start);
        if (started.isNew()) {
            reportStarted(start, first);
            announce(first, start);
        }
        return started;
    }

    /**
     * Prepares a start that a run has requested. The caller sends it, then calls {@link #settle} or {@link #abandon}.
     */
    Opening open(String workflowId, Message.StartRun command, Set<RunStatus> replaces, OutboxFence fence) {
        return open(workflowId, command.runId(), firstEvent(command), replaces, fence);
    }

    /**
     * Prepares a start that a run has requested, for a run that will be terminated at once. Its alarm is a lease
     * period away, so it starts only if the termination does not happen.
     */
    Opening openAsleep(String workflowId, Message.StartRun command, OutboxFence fence) {
        Event.RunStarted first = firstEvent(command);
        NextState later = NextState.pending(new Alarm.In(context.settings().leasePeriod()), WakeReason.START);
        Start start = request(workflowId, command.runId(), first, "", later, replacedBy(command));
        return new Opening(start.under(fence), first, false, context.epoch(shard(workflowId)));
    }

    private Event.RunStarted firstEvent(Message.StartRun command) {
        Instant now = context.clock().latest();
        ChildStart child = command.child();
        if (child != null) {
            Instant startAt = notBefore(child.startAt(), now);
            Instant deadline =
                    child.timeout() == null ? null : atMost(startAt == null ? now : startAt, child.timeout());
            return new Event.RunStarted(
                    now, command.type(), command.input(), startAt, deadline, child.memo(), command.origin());
        }
        Origin.Debounce debounce = command.origin().debounce();
        return new Event.RunStarted(
                now,
                command.type(),
                command.input(),
                debounce == null || command.origin().continues() != null ? null : plus(now, debounce.quiet()),
                command.deadline(),
                command.memo(),
                command.origin());
    }

    /**
     * Returns the statuses of runs that a start may replace. A continuation replaces the continued run, a debounced
     * start an ended run, and a child none, unless its settings say otherwise.
     */
    static Set<RunStatus> replacedBy(Message.StartRun start) {
        if (start.origin().continues() != null) {
            return Set.of(RunStatus.CONTINUED);
        } else if (start.child() != null) {
            return switch (start.child().idPolicy()) {
                case REJECT, RETURN_CLOSED -> Set.of();
                case START_UNLESS_COMPLETED -> ENDED_WITHOUT_RESULT;
                case START_NEW -> ENDED;
            };
        }
        return start.origin().debounce() == null ? Set.of() : ENDED;
    }

    private StartedRun start(
            String workflowId, UUID runId, Event.RunStarted first, Set<RunStatus> replaces, Duration atMost) {
        Opening opening = open(workflowId, runId, first, replaces, OutboxFence.NONE);
        return settle(opening, context.writers(shard(workflowId)).start(opening.start, atMost));
    }

    /**
     * A start that is ready to be sent. If it is local, a place is reserved for the run on this node.
     *
     * @param epoch the store's epoch as it was known before
     */
    record Opening(Start start, Event.RunStarted first, boolean isLocal, String epoch) {}

    private Opening open(
            String workflowId, UUID runId, Event.RunStarted first, Set<RunStatus> replaces, OutboxFence fence) {
        boolean local = first.startAt() == null
                && first.origin().queued() == null
                && served.code(first.type()) != null
                && !context.isClosed()
                && table.reserveForStart();
        boolean ready = false;
        try {
            long lease = local ? context.ids().lease() : RunRow.NO_LEASE;
            Start start = request(workflowId, runId, first, lease, replaces).under(fence);
            Opening opening = new Opening(start, first, local, context.epoch(shard(workflowId)));
            ready = true;
            return opening;
        } finally {
            if (local && !ready) {
                table.release(1);
            }
        }
    }

    /** Prepares a start. The caller sends it, then calls {@link #settle} or {@link #abandon}. */
    Opening open(NewRun wanted) {
        Event.RunStarted first = firstEvent(wanted);
        UUID runId = context.ids().run(first.at());
        return open(wanted.workflowId(), runId, first, wanted.replaces(), OutboxFence.NONE);
    }

    /**
     * Executes a new run if the outcome requires nothing else. Returns false if {@link #settle} must handle the
     * outcome.
     */
    boolean begins(Opening opening, StartOutcome outcome) {
        boolean begins = opening.isLocal
                && outcome instanceof StartOutcome.Started
                && opening.start.replaces().isEmpty();
        if (begins) {
            reportStarted(opening.start, opening.first);
            execute(freshRow(opening.start), opening, true);
        }
        return begins;
    }

    /**
     * Handles the outcome of a start: executes the run on this node, or announces it to other nodes.
     *
     * @throws DormouseException if the run was not started, or if that is unknown
     */
    StartedRun settle(Opening opening, StartOutcome outcome) {
        Start start = opening.start;
        boolean executing = false;
        try {
            StartedRun started = started(outcome, start);
            if (started.isNew()) {
                reportStarted(start, opening.first);
            }
            RunRow row = started.isNew() ? rowToExecute(start, outcome) : null;
            if (row != null) {
                execute(row, opening, outcome instanceof StartOutcome.Started);
                executing = true;
            } else if (started.isNew()) {
                announce(opening.first, start);
            }
            return started;
        } finally {
            if (!executing) {
                abandon(opening);
            }
        }
    }

    void reportStarted(Start start, Event.RunStarted first) {
        context.telemetry().started(start.workflowId(), start.runId(), start.type(), first.at());
    }

    /** Releases the place that was reserved for the run. */
    void abandon(Opening opening) {
        if (opening.isLocal) {
            table.release(1);
        }
    }

    /**
     * Starts a run in the caller's transaction. It is not executed before the caller commits.
     *
     * @throws StoreException STORE_UNAVAILABLE if another transaction holds a lock; the caller must roll back
     */
    public StartedRun startWithin(Connection connection, NewRun wanted) {
        Event.RunStarted first = firstEvent(wanted);
        UUID runId = context.ids().run(first.at());
        Start start = request(wanted.workflowId(), runId, first, RunRow.NO_LEASE, wanted.replaces());
        int shard = shard(wanted.workflowId());
        StartOutcome outcome = context.store().startWithin(connection, shard, start);
        if (outcome instanceof StartOutcome.Locked) {
            throw new StoreException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "Expected workflow id '" + start.workflowId() + "' to be started in your transaction, but another "
                            + "one holds a lock that is in its way, or (on SQLite) wrote after yours began to read. "
                            + "Roll back and do all of it again.",
                    null);
        }
        return started(outcome, start);
    }

    public int shard(String workflowId) {
        return Shards.of(workflowId, context.store().shards());
    }

    private Event.RunStarted firstEvent(NewRun wanted) {
        Instant now = context.clock().latest();
        Instant startAt = wanted.startIn() == null ? notBefore(wanted.startAt(), now) : plus(now, wanted.startIn());
        Instant begin = startAt == null || startAt.isBefore(now) ? now : startAt;
        Instant deadline = wanted.timeout() == null ? null : plus(begin, wanted.timeout());
        return new Event.RunStarted(
                now, wanted.type(), wanted.input(), startAt, deadline, wanted.memo(), wanted.origin());
    }

    /** Returns {@code now} for an instant that has passed; otherwise the instant itself, or null. */
    private static @Nullable Instant notBefore(@Nullable Instant instant, Instant now) {
        return instant != null && instant.isBefore(now) ? now : instant;
    }

    /**
     * Returns the sum. A duration of zero or less adds nothing.
     *
     * @throws DormouseException INSTANT_OUT_OF_RANGE if the sum is too late
     */
    static Instant plus(Instant instant, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            return instant;
        }
        try {
            return Micros.roundUp(instant.plus(duration));
        } catch (ArithmeticException | DateTimeException | DormouseException tooFar) {
            throw new DormouseException(
                    ErrorCode.INSTANT_OUT_OF_RANGE,
                    "Expected a delay or timeout that ends before " + Micros.MAX + ", but got " + duration
                            + ". Use a shorter one, or none.",
                    tooFar);
        }
    }

    /** Returns the sum, or the last instant that a store can hold if that is earlier. */
    private static Instant atMost(Instant instant, Duration duration) {
        try {
            return plus(instant, duration);
        } catch (DormouseException justTooFar) {
            return Micros.MAX; // the code that requested the child has checked the duration, but earlier
        }
    }

    private Start request(String workflowId, UUID runId, Event.RunStarted first, long lease, Set<RunStatus> replaces) {
        boolean leased = lease != RunRow.NO_LEASE;
        Alarm alarm = first.startAt() == null ? Alarm.NOW : new Alarm.At(first.startAt());
        NextState next = leased
                ? NextState.running(lease, context.settings().leasePeriod())
                : NextState.pending(alarm, WakeReason.START);
        return request(workflowId, runId, first, leased ? context.nodeId() : "", next, replaces);
    }

    private Start request(
            String workflowId,
            UUID runId,
            Event.RunStarted first,
            String owner,
            NextState next,
            Set<RunStatus> replaces) {
        byte[] payload = EventCodec.encode(List.of(first));
        Append append = new Append(1, payload, Checksum.next(Checksum.EMPTY, 0, 1, payload));
        Queued queued = queued(first);
        String lane = Lanes.of(first.type(), queued);
        return new Start(workflowId, runId, first.type(), lane, owner, next, append, replaces, queued);
    }

    static Queued queued(Event.RunStarted first) {
        Queued queued = first.origin().queued();
        return queued == null ? Queued.NOWHERE : queued;
    }

    private StartedRun started(StartOutcome outcome, Start start) {
        if (outcome instanceof StartOutcome.Started) {
            return new StartedRun(start.runId(), true, start.next().status());
        } else if (outcome instanceof StartOutcome.Exists exists) {
            RunRow run = exists.run();
            return new StartedRun(run.runId(), run.runId().equals(start.runId()), run.status());
        } else if (outcome instanceof StartOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (outcome instanceof StartOutcome.Unknown unknown) {
            throw unanswered(start, unknown.cause());
        }
        throw new StoreException(
                ErrorCode.STORE_UNAVAILABLE,
                "Expected workflow id '" + start.workflowId() + "' to be started within " + Writers.LONGEST_CALL
                        + ", but another transaction holds a lock that is in the way. If it is your own, start with "
                        + "dormouse.within(connection); otherwise call again with the same workflow id.",
                null);
    }

    private static StoreException unanswered(Start start, StoreException cause) {
        return cause.code() == ErrorCode.DORMOUSE_CLOSED
                ? cause
                : new StoreException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "Expected workflow id '" + start.workflowId() + "' to be started within "
                                + Writers.LONGEST_CALL
                                + ", but the store did not answer. Start it again with the same "
                                + "workflow id: it is started once, whether or not this call came through.",
                        cause);
    }

    /** Returns the row of the run if this node must execute it; null otherwise. */
    private @Nullable RunRow rowToExecute(Start start, StartOutcome outcome) {
        if (start.next().status() != RunStatus.RUNNING) {
            return null;
        }
        if (outcome instanceof StartOutcome.Started && start.replaces().isEmpty()) {
            return freshRow(start);
        }
        // An earlier try of this start was applied, or the row continues the counters of the replaced run
        RunRow row = outcome instanceof StartOutcome.Exists exists ? exists.run() : read(start);
        return row != null && row.lease() == start.next().lease() && row.nextSeq() == 1 ? row : null;
    }

    private @Nullable RunRow read(Start start) {
        try {
            return context.store().run(shard(start.workflowId()), start.runId()).orElse(null);
        } catch (StoreException noAnswer) {
            context.stalled(noAnswer);
            return null; // a node claims it when its lease expires
        }
    }

    private RunRow freshRow(Start start) {
        return new RunRow(
                shard(start.workflowId()),
                start.runId(),
                start.workflowId(),
                start.type(),
                start.lane(),
                RunStatus.RUNNING,
                start.next().lease(),
                start.owner(),
                null,
                WakeReason.LEASE,
                1,
                start.first().checksum(),
                0,
                0,
                0,
                0,
                "",
                "",
                context.clock().latest(),
                null);
    }

    private void execute(RunRow row, Opening opening, boolean isFresh) {
        launcher.started(row, opening.first, isFresh, opening.epoch);
    }

    private void announce(Event.RunStarted first, Start start) {
        Instant at = start.next().alarm() instanceof Alarm.At alarm
                ? alarm.instant()
                : context.clock().latest();
        boolean known = host.serves(first.type(), start.lane());
        boolean atOnce = first.startAt() == null;
        if (known) {
            host.arm(start.lane(), at);
        }
        if (!known) {
            unserved.started(start.lane());
        }
        if (!known || atOnce) {
            context.notifyNodes(
                    shard(start.workflowId()), start.lane(), at); // this node has no code for it, or no free place
        }
    }
}
