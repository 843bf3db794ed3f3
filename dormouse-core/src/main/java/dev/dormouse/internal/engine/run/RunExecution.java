package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.observe.LogLabels;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Progress;
import dev.dormouse.internal.run.Builds;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run in this node's memory, from its start or claim until it is closed or evicted: the body of the run's thread. */
public final class RunExecution implements Runnable, LocalRun, Attempt.Context {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecution.class);
    private static final Duration NO_THREAD_DELAY = Duration.ofSeconds(1);

    private final RunParts parts;
    private final NodeContext context;
    private final RunCode code;
    private final ClaimContext claimContext;
    private final long heldSince;
    private final long claim;
    private final Gate gate;
    private final Steps steps;
    private final LentPlace place;
    private RunRow row;
    private String epoch;
    private @Nullable List<Event> history;
    private @Nullable List<HistoryRow> read;
    private volatile @Nullable RunSession session;
    private volatile boolean stopped;
    private volatile boolean closing;
    private volatile boolean onProbation;
    private boolean mayLeaveFinalCommit = true;
    private boolean ended;
    private boolean hasPaused;
    private @Nullable LocalRun successor;

    /**
     * Returns the execution of a run that was started here.
     *
     * @param isFresh whether its lease is known to be new
     */
    static RunExecution started(RunParts parts, RunCode code, RunRow row, Event.RunStarted first, boolean isFresh) {
        RunExecution run = new RunExecution(parts, code, row, ClaimContext.started(isFresh));
        run.history = List.of(first);
        return run;
    }

    /** Returns the execution of a run that was claimed. */
    static RunExecution claimed(RunParts parts, RunCode code, Claimed.Run claimed) {
        RunExecution run = new RunExecution(parts, code, claimed.row(), ClaimContext.claimed(claimed));
        run.hasPaused = claimed.before() == RunStatus.WAITING || claimed.before() == RunStatus.PARKED;
        parts.context().telemetry().claimed(claimed, run.claimContext.takenOver());
        return run;
    }

    /** Returns the execution of a run that was here before the store changed, and still is under its lease. */
    static RunExecution resumed(RunParts parts, RunCode code, RunRow row) {
        return new RunExecution(parts, code, row, ClaimContext.started(false));
    }

    private RunExecution(RunParts parts, RunCode code, RunRow row, ClaimContext claimContext) {
        this.parts = parts;
        this.context = parts.context();
        this.code = code;
        this.row = row;
        this.epoch = context.epoch(row.shard());
        this.claimContext = claimContext;
        this.claim = row.lease();
        this.heldSince = context.threads().nanoTime();
        this.gate = context.threads().newGate();
        this.steps = new Steps(context.threads(), this, gate);
        this.place = new LentPlace(parts.table());
    }

    @Override
    public UUID runId() {
        return row.runId();
    }

    @Override
    public int shard() {
        return row.shard();
    }

    @Override
    public long renewableLease() {
        RunSession live = session;
        return live == null ? row.lease() : live.log().renewable();
    }

    @Override
    public long lease() {
        RunSession live = session;
        return live == null ? row.lease() : live.log().lease();
    }

    @Override
    public boolean isHeldFor(long nanos) {
        return context.threads().nanoTime() - heldSince >= nanos;
    }

    @Override
    public void lost(long lease) {
        RunSession live = session;
        if (live != null) {
            live.activation().lost(lease);
        } else if (row.lease() == lease) {
            stop();
        }
    }

    @Override
    public void mailArrived(long counter) {
        RunSession live = session;
        if (live != null) {
            live.mailArrived(counter);
        }
    }

    @Override
    public void look() {
        RunSession live = session;
        if (live != null) {
            live.look();
        }
    }

    @Override
    public boolean isOver() {
        RunSession live = session;
        return stopped || live != null && live.activation().isOver();
    }

    @Override
    public boolean isOnProbation() {
        return onProbation;
    }

    @Override
    public boolean isLeaving() {
        return stopped || closing;
    }

    @Override
    public void reread() {
        RunSession live = session;
        parts.host()
                .lost(
                        shard(),
                        runId(),
                        live == null ? Set.of(row.lease()) : live.log().leases());
        stop();
    }

    @Override
    public void stop() {
        stopped = true;
        parts.crashLoops().abandon(this);
        RunSession live = session;
        if (live != null) {
            live.activation().stop();
        }
    }

    @Override
    public void close() {
        closing = true;
        parts.crashLoops().abandon(this);
        RunSession live = session;
        if (live != null) {
            live.activation().close();
        }
    }

    @Override
    public boolean isCommitting() {
        RunSession live = session;
        return live != null && live.isCommitting();
    }

    @Override
    public @Nullable Commit release() {
        return givingUp(NextState.pending(Alarm.NOW, WakeReason.HANDOVER));
    }

    @Override
    public String lane() {
        return row.lane();
    }

    @Override
    public boolean isLent() {
        RunSession live = session;
        return live != null && live.late().isLent();
    }

    @Override
    public boolean flush(Duration age) {
        RunSession live = session;
        return live != null && live.late().flush(age);
    }

    @Override
    public boolean isExecutingStep() {
        return steps.isExecuting();
    }

    @Override
    public boolean hasLateResults() {
        RunSession live = session;
        return live != null && live.late().hasSome();
    }

    // ---- for its steps

    @Override
    public StoreClock clock() {
        return context.clock();
    }

    @Override
    public long nanoTime() {
        return context.threads().nanoTime();
    }

    @Override
    public double chance() {
        return context.ids().fraction();
    }

    @Override
    public UUID newToken() {
        return context.ids().token();
    }

    @Override
    public void note(int call, int attempt, Progress progress) {
        long lease = renewableLease();
        if (lease != RunRow.NO_LEASE) {
            parts.progress().write(shard(), runId(), lease, call, attempt, progress);
        }
    }

    @Override
    public Runnable labelled(Runnable body) {
        return LogLabels.around(row, body);
    }

    @Override
    public Gate newGate() {
        return context.threads().newGate();
    }

    @Override
    public LentPlace place() {
        return place;
    }

    @Override
    public void fired(WakeReason reason, Instant due) {
        context.telemetry().fired(row, reason, due, context.clock().latest());
    }

    @Override
    public void handOut(Attempt attempt) {
        RunSession live = session;
        if (live != null) {
            live.handOut(attempt);
        }
    }

    // ---- its life

    /** Its thread begins when its history is there; one that may have killed its node with that reads it when it may. */
    @Override
    public void start() {
        if (history != null || row.takeovers() > 0) {
            start(this);
            return;
        }
        context.writers(shard()).readHistory(row, rows -> {
            read = rows;
            if (rows == null) {
                end(); // the node is closing
            } else {
                start(this);
            }
        });
    }

    private void start(Runnable body) {
        try {
            context.threads().startCode("run " + row.workflowId(), labelled(body));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            LOG.warn("No thread for run {}; it is tried again", row.runId(), noThread);
            Commit givenBack = givingUp(NextState.pending(new Alarm.In(NO_THREAD_DELAY), WakeReason.HANDOVER));
            if (givenBack != null) {
                context.writers(shard()).submit(givenBack, outcome -> {});
            }
            end();
        }
    }

    @Override
    public synchronized boolean precede(LocalRun next) {
        if (ended) {
            return false;
        }
        successor = next;
        stop();
        return true;
    }

    @Override
    public void run() {
        live(() -> !mustWait() && execute());
    }

    /** @param phase a phase of its life; returns whether the last commit is on its way, with which the run ends */
    private void live(BooleanSupplier phase) {
        boolean isEnding = false;
        try {
            isEnding = orGiveUp(phase);
        } catch (Evicted gone) {
            // what it came to is in the store
        } finally {
            if (!isEnding) {
                end();
            }
        }
    }

    private boolean orGiveUp(BooleanSupplier phase) {
        try {
            return phase.getAsBoolean();
        } catch (CodeMismatch mismatch) {
            refuse(mismatch);
        } catch (DormouseException damaged) {
            giveUpAsStuck(damaged.getMessage(), null);
        } catch (Evicted gone) {
            throw gone;
        } catch (Throwable problem) {
            Failure kept = code.keep(problem);
            giveUpAsStuck(kept.isSealed() ? kept + "; see the log of the node" : problem.toString(), problem);
        }
        return false;
    }

    private void end() {
        steps.interrupt(); // nobody waits for them any more
        parts.crashLoops().release(runId());
        parts.table().remove(this);
        parts.table().release(1);
        parts.host().left(runId(), shard(), row.lane());
        LocalRun next;
        synchronized (this) {
            ended = true;
            next = successor;
        }
        if (next != null) {
            next.start();
        }
    }

    private boolean mustWait() {
        if (row.takeovers() == 0) {
            return false;
        }
        boolean waits = new Probation(parts, row, claimContext, this::unchanged).mustWait(this);
        onProbation = !waits;
        return waits;
    }

    /** Tells whether its last commit is on its way. */
    private boolean execute() {
        parts.unresponsive().check(row);
        RunSession active;
        do {
            active = activate();
            try {
                code.execute(active);
            } catch (Evicted gone) {
                checkAccepted(active);
            } catch (CodeMismatch mismatch) {
                keepResults(active);
                throw mismatch;
            }
        } while (active.activation().mustRestart() && reload());
        return sendFinalCommit(active);
    }

    /** Continues without code that does not end; see {@link Session#abandon}. */
    private void abandon(Throwable reason, String line, boolean isFirst) {
        CodeMismatch deaf = parts.unresponsive().abandoned(row, line);
        if (isFirst) {
            start(() -> live(() -> leaveCodeBehind(reason, deaf)));
        }
    }

    /** Ends a stay as its code would have, had it let the reason pass. */
    private boolean leaveCodeBehind(Throwable reason, CodeMismatch deaf) {
        RunSession active = Objects.requireNonNull(session);
        if (reason instanceof Evicted) {
            checkAccepted(active);
            if (active.activation().mustRestart() && reload()) {
                throw deaf;
            }
            return false;
        }
        if (reason instanceof CodeMismatch) {
            keepResults(active);
        }
        if (reason instanceof RuntimeException problem) {
            throw problem;
        }
        throw (Error) reason;
    }

    /** The code has ended, so that nothing is left for this thread to do: the run ends with its last commit. */
    private boolean sendFinalCommit(RunSession active) {
        RunSession.FinalCommit last = active.finalCommit();
        if (last != null && Committer.isTooLarge(last.commit())) {
            throw Committer.tooLarge(last.commit());
        } else if (last != null) {
            context.writers(shard()).submit(last.commit(), outcome -> finalCommitApplied(active, last, outcome));
        }
        return last != null;
    }

    private void finalCommitApplied(RunSession active, RunSession.FinalCommit last, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            try {
                active.finalCommitApplied(last, committed);
            } finally {
                end();
            }
        } else {
            start(() -> live(() -> retryFinalCommit(active, last)));
        }
    }

    /** From here on a thread waits for each commit: mail that comes in all the time is taken by code that is there. */
    private boolean retryFinalCommit(RunSession active, RunSession.FinalCommit last) {
        mayLeaveFinalCommit = false;
        try {
            active.retryFinalCommit(last);
        } catch (Evicted gone) {
            checkAccepted(active);
        }
        return active.activation().mustRestart() && reload() && execute();
    }

    /** What steps came to here counts, also if it is for others to go on from there. */
    private static void keepResults(RunSession active) {
        try {
            active.keepResults();
        } catch (Evicted gone) {
            checkAccepted(active);
            throw gone;
        }
    }

    private static void checkAccepted(RunSession active) {
        DormouseException trouble = active.activation().trouble();
        if (trouble != null) {
            throw trouble;
        }
    }

    private RunSession activate() {
        List<Event> events = history == null ? History.read(row, historyRows()) : history;
        history = null;
        RunSession active = new RunSession(
                parts,
                row,
                epoch,
                events,
                gate,
                steps,
                claimContext.handedOver(),
                code.isBatched(),
                this::abandon,
                mayLeaveFinalCommit);
        session = active;
        if (hasPaused) {
            active.hasPaused();
        }
        hasPaused = true;
        noteTakeover(active, events);
        if (closing) {
            active.activation().close();
        }
        if (stopped) {
            throw new Evicted();
        }
        if (claimContext.renewFirst()) {
            active.committer().renewFirst();
        }
        if (events.size() == 1
                && code.recordsItsBeginning()
                && (claimContext.startDue() || ((Event.RunStarted) events.get(0)).startAt() != null)) {
            active.begin();
        }
        return active;
    }

    /** A stay that begins anew tells of it again, unless that is committed. */
    private void noteTakeover(RunSession active, List<Event> events) {
        Instant alarm = claimContext.alarm();
        if (alarm == null || !claimContext.takenOver() || claimContext.from().isEmpty()) {
            return;
        }
        boolean isNoted =
                events.stream().anyMatch(event -> event instanceof Event.TakenOver over && over.lease() == claim);
        if (!isNoted) {
            active.log()
                    .takenOver(
                            context.names().of(claimContext.from()),
                            context.display(),
                            claim,
                            alarm,
                            context.clock().latest());
        }
    }

    private List<HistoryRow> historyRows() {
        List<HistoryRow> rows = read == null ? context.readHistory(row) : read;
        read = null;
        return rows;
    }

    /** Reads the row again, to begin anew from what is committed; false when the run is not ours any more. */
    private boolean reload() {
        RunSession active = session;
        long lease = active == null ? row.lease() : active.log().lease();
        String before = context.epoch(shard());
        RunRow fresh =
                context.persist(() -> context.store().run(shard(), runId())).orElse(null);
        if (fresh == null || fresh.lease() != lease) {
            return false;
        }
        row = fresh;
        epoch = before;
        return true;
    }

    private Commit unchanged(NextState next) {
        return new Commit(
                runId(),
                Fence.of(row.lease(), row.nextSeq()).inEpoch(epoch),
                Append.nothing(row.checksum()),
                row.consumed(),
                next,
                List.of());
    }

    /** Hands the run to nodes with another build; where every live build has refused it is stuck until one fits. */
    private void refuse(CodeMismatch mismatch) {
        Set<String> live = parts.host().liveBuilds(shard(), row.type());
        String refused = Builds.add(row.refused(), context.build(), live);
        boolean last = live.stream().allMatch(build -> Builds.has(refused, build));
        LOG.warn(
                "Run {} of workflow id '{}' cannot go on with this code: {}{}",
                runId(),
                row.workflowId(),
                mismatch.getMessage(),
                last
                        ? " It is stuck until a node has a build that fits."
                        : " It is handed to nodes with another build.");
        String lane = Lanes.refused(row.lane());
        if (last) {
            giveUp(stuck(mismatch.getMessage()).inLane(lane, refused));
        } else {
            giveUp(NextState.pending(Alarm.NOW, WakeReason.HANDOVER).inLane(lane, refused));
            context.notifyNodes(shard(), lane, context.clock().latest());
        }
    }

    /** @param problem for the log, where the trouble does not tell it all */
    private void giveUpAsStuck(String trouble, @Nullable Throwable problem) {
        LOG.warn("Run {} of workflow id '{}' is stuck: {}", runId(), row.workflowId(), trouble, problem);
        giveUp(stuck(trouble));
    }

    /** Stuck until it is tried again; its execution timeout ends it also then. */
    private NextState stuck(String trouble) {
        RunSession live = session;
        return live == null
                ? NextState.stuck(new Alarm.In(context.stuckDelay(row.createdAt())), trouble)
                : live.pauses().stuck(trouble);
    }

    private void giveUp(NextState next) {
        Commit commit = givingUp(next);
        if (commit != null) {
            context.commit(shard(), commit);
        }
    }

    /** A commit of a state without its lease; null when the run was given up before, as then it is not ours to change. */
    private @Nullable Commit givingUp(NextState next) {
        RunSession live = session;
        Commit commit = live == null ? unchanged(next) : live.log().commitNothing(next);
        return commit.fence().lease() == RunRow.NO_LEASE ? null : commit;
    }
}
