package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.WakeReason;
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
import dev.dormouse.internal.run.RunProgress;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The execution of one run in this node's memory, from its start or claim until it closes or is evicted. It is the
 * body of the run's thread.
 *
 * <p><b>Life.</b> The {@link RunLauncher} creates it and adds it to the {@link RunTable}. Its thread starts once the
 * history is read. A run with takeovers first passes {@link Probation}. Then it executes one {@link RunSession}
 * (activation) after the other, until the code has ended or the run must leave. {@link #end} removes it from the
 * table and starts a later execution of the same run that waits for it.
 *
 * <p><b>Ways out of memory.</b> If the code has not ended, {@link Evicted} or {@link CodeMismatch} unwinds it.
 *
 * <ul>
 *   <li>The code returns or fails: its final commit closes the run.
 *   <li>The run pauses for longer than it may be parked: it is committed as a row with an alarm ({@link Pauses}).
 *   <li>A commit is fenced, a renewal finds the lease gone, or a caller terminates the run: it leaves without a
 *       commit.
 *   <li>The node closes: the run leaves at its next pause or before its next step. After the grace period its steps
 *       are interrupted and its lease is released from outside ({@link #release}).
 *   <li>Its code does not match the history, or the store rejects its commit: it is offered to other builds, or
 *       becomes stuck.
 * </ul>
 *
 * <p><b>Dead nodes.</b> Nothing here runs when the process dies. The row stays {@code RUNNING} with an alarm at the end
 * of the lease. When that alarm passes, any node claims the run under a new lease id and executes it from its committed
 * events. The claim may come later, because {@code TakeoverGuard} holds takeovers back after an outage. After the
 * claim, {@link Probation} may delay a run that may have killed its node.
 *
 * <p><b>Results.</b> A caller sees the result only after the commit that closes the run ({@link RunHost#closed}). If
 * the answer to that commit is lost, it is sent again until the store answers; see {@link Committer}.
 *
 * <p><b>Threads.</b> {@link #run} and everything below it belongs to the run's thread; the methods of {@link
 * LocalRun} may be called by any thread. Requests to leave are volatile flags, which the new activation reads after
 * it is published. So a request that arrives while an activation is created is not lost. One execution of a run
 * exists at a time on a node ({@link #precede}). Another node may execute the same run after a takeover. That is
 * harmless for the store, because commits of the older execution are fenced, but a step may be executed twice.
 */
public final class RunExecution implements Runnable, LocalRun, Attempt.Context {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecution.class);
    private static final int MOST_ROUNDS = 10;
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
    private final Map<String, Integer> decidedVersions = new ConcurrentHashMap<>();
    private RunRow row;
    private String epoch;
    private final boolean isExact;
    private volatile History.End end;
    private @Nullable History history;
    private @Nullable List<HistoryRow> prefetched;
    private volatile @Nullable RunSession session;
    private volatile boolean stopped;
    private volatile boolean closing;
    private volatile boolean onProbation;
    private boolean mayLeaveFinalCommit = true;
    private boolean ended;
    private boolean hasPaused;
    private @Nullable LocalRun successor;

    /**
     * Returns the execution of a run that was started on this node.
     *
     * @param isFresh true if its lease is known to be new
     */
    static RunExecution started(
            RunParts parts, RunCode code, RunRow row, Event.RunStarted first, boolean isFresh, String epoch) {
        RunExecution run = new RunExecution(parts, code, row, epoch, ClaimContext.started(isFresh), true);
        run.history = new History(List.of(first), row.checksum());
        return run;
    }

    /** Returns the execution of a run that was claimed. */
    static RunExecution claimed(RunParts parts, RunCode code, Claimed.Run claimed, String epoch) {
        RunExecution run = new RunExecution(parts, code, claimed.row(), epoch, ClaimContext.claimed(claimed), true);
        run.hasPaused = RunProgress.isPaused(claimed.before());
        if (!claimed.history().isEmpty() && claimed.row().takeovers() == 0) {
            run.prefetched = claimed.history();
        }
        parts.context().telemetry().claimed(claimed, run.claimContext.takenOver());
        return run;
    }

    /**
     * Returns the execution of a run that was in this node's memory before the store changed, and that is still under
     * its lease.
     */
    static RunExecution resumed(RunParts parts, RunCode code, RunRow row, String epoch) {
        RunExecution run = new RunExecution(parts, code, row, epoch, ClaimContext.started(false), false);
        run.hasPaused = true;
        return run;
    }

    /**
     * @param epoch the store's epoch as it was known before the start or claim was sent, or the row was read. A later one
     *     would not fence the appends of a lease that a failover has lost
     * @param isExact true if no event was appended since the row was changed last
     */
    private RunExecution(
            RunParts parts, RunCode code, RunRow row, String epoch, ClaimContext claimContext, boolean isExact) {
        this.parts = parts;
        this.context = parts.context();
        this.code = code;
        this.row = row;
        this.epoch = epoch;
        this.claimContext = claimContext;
        this.isExact = isExact;
        this.end = new History.End(row.nextSeq(), row.checksum());
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
    public void messagesArrived(long counter) {
        RunSession live = session;
        if (live != null) {
            live.messagesArrived(counter);
        }
    }

    @Override
    public void messageArrived(InboxMessage message, String acceptedIn) {
        RunSession live = session;
        if (live != null) {
            live.messageArrived(message, acceptedIn);
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
    public boolean mayBeUnder(long lease) {
        RunSession live = session;
        return live == null ? row.lease() == lease : live.log().mayBeUnder(lease);
    }

    @Override
    public boolean seal() {
        RunSession live = session;
        return live == null || live.log().seal();
    }

    @Override
    public @Nullable Commit release() {
        return releasing(NextState.pending(Alarm.NOW, WakeReason.HANDOVER));
    }

    @Override
    public String lane() {
        return row.lane();
    }

    @Override
    public boolean isLent() {
        RunSession live = session;
        return live != null && live.deferred().isLent();
    }

    @Override
    public boolean flush(Duration age) {
        RunSession live = session;
        return live != null && live.deferred().flush(age);
    }

    @Override
    public boolean isExecutingStep() {
        return steps.isExecuting();
    }

    @Override
    public boolean hasDeferredResults() {
        RunSession live = session;
        return live != null && live.deferred().hasSome();
    }

    // ---- services for its steps

    @Override
    public StoreClock clock() {
        return context.clock();
    }

    @Override
    public long nanoTime() {
        return context.threads().nanoTime();
    }

    @Override
    public Payload callStep(Callable<Payload> body) throws Exception {
        return context.threads().callStep(body);
    }

    @Override
    public double chance() {
        return context.ids().retryJitter();
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

    // ---- life cycle

    /**
     * Reads the history and starts the thread. A run with takeovers reads its history later, after {@link Probation}
     * has let it start.
     */
    @Override
    public void start() {
        if (history != null || prefetched != null || row.takeovers() > 0) {
            start(this);
            return;
        }
        context.writers(shard()).readHistory(row, rows -> {
            prefetched = rows;
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
            LOG.warn("Failed to start a thread for run {}; trying again in {}", row.runId(), NO_THREAD_DELAY, noThread);
            Commit released = releasing(NextState.pending(new Alarm.In(NO_THREAD_DELAY), WakeReason.HANDOVER));
            if (released != null) {
                context.writers(shard()).submit(released, outcome -> {});
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

    /**
     * Executes a part of the run's life, then ends the execution unless the final commit does that.
     *
     * @param phase returns true if the final commit was submitted; its callback ends the execution
     */
    private void live(BooleanSupplier phase) {
        boolean isEnding = false;
        try {
            isEnding = runOrBecomeStuck(phase);
        } catch (Evicted gone) {
            // its state is in the store
        } finally {
            if (!isEnding) {
                awaitLastWrite();
                end();
            }
        }
    }

    /**
     * Waits for the answer to results that were sent in the background. Another execution of this run reads its history
     * afterwards, and must not miss them.
     */
    private void awaitLastWrite() {
        RunSession last = session;
        if (last != null) {
            last.deferred().awaitAnswer();
        }
    }

    private boolean runOrBecomeStuck(BooleanSupplier phase) {
        try {
            return phase.getAsBoolean();
        } catch (CodeMismatch mismatch) {
            refuse(mismatch);
        } catch (DormouseException damaged) {
            becomeStuck(damaged.getMessage(), null);
        } catch (Evicted gone) {
            throw gone;
        } catch (Throwable problem) {
            Failure kept = code.keep(problem);
            becomeStuck(kept.isSealed() ? kept + "; see the log of the node" : problem.toString(), problem);
        }
        return false;
    }

    private void end() {
        steps.interrupt(); // their results are no longer awaited
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

    /** Executes activations until the code has ended. Returns true if the final commit was submitted. */
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

    /** Continues without the thread of code that does not end; see {@link Session#abandon}. */
    private void abandon(Throwable reason, String line, boolean isFirst) {
        CodeMismatch unresponsive = parts.unresponsive().abandoned(row, line);
        if (isFirst) {
            start(() -> live(() -> leaveCodeBehind(reason, unresponsive)));
        }
    }

    /** Ends the activation as its code would have, had it not caught {@code reason}. */
    private boolean leaveCodeBehind(Throwable reason, CodeMismatch unresponsive) {
        RunSession active = Objects.requireNonNull(session);
        if (reason instanceof Evicted) {
            checkAccepted(active);
            if (active.activation().mustRestart() && reload()) {
                throw unresponsive;
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

    /**
     * Submits the final commit, if the code left one. This thread ends; the callback of the writers ends the
     * execution. Returns false if the run was closed or evicted before.
     */
    private boolean sendFinalCommit(RunSession active) {
        RunSession.FinalCommit last = active.finalCommit();
        if (last != null && Committer.isTooLarge(last.commit())) {
            throw Committer.tooLarge(last.commit());
        } else if (last != null) {
            active.log().beginWrite();
            context.writers(shard()).submit(last.commit(), outcome -> finalCommitApplied(active, last, outcome));
        }
        return last != null;
    }

    private void finalCommitApplied(RunSession active, RunSession.FinalCommit last, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            try {
                active.finalCommitApplied(last, committed);
            } finally {
                active.log().endWrite();
                end();
            }
        } else {
            active.log().endWrite();
            start(() -> live(() -> retryFinalCommit(active, last)));
        }
    }

    /**
     * Sends the final commit again and waits for it. Later activations wait for their final commits too, so that the
     * code is in memory to take a steady stream of messages.
     */
    private boolean retryFinalCommit(RunSession active, RunSession.FinalCommit last) {
        mayLeaveFinalCommit = false;
        try {
            active.retryFinalCommit(last);
        } catch (Evicted gone) {
            checkAccepted(active);
        }
        return active.activation().mustRestart() && reload() && execute();
    }

    /** Commits step results before the run is handed to another build, which resumes from them. */
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
        History known = known();
        RunSession active = new RunSession(
                parts,
                row,
                epoch,
                known,
                this::isHeld,
                gate,
                steps,
                claimContext.handedOver(),
                code.isBatched(),
                this::abandon,
                decidedVersions,
                mayLeaveFinalCommit);
        session = active;
        if (hasPaused) {
            active.hasPaused();
        }
        hasPaused = true;
        if (closing) {
            active.activation().close();
        }
        if (stopped) {
            throw new Evicted();
        }
        if (claimContext.renewFirst()) {
            active.committer().renewFirst();
        }
        if (known.size() == 1
                && code.recordsItsBeginning()
                && (claimContext.startDue()
                        || ((Event.RunStarted) known.events().get(0)).startAt() != null)) {
            active.begin();
        }
        return active;
    }

    /**
     * Returns true if the lease has not expired by this node's own clock: it was granted or renewed within a lease
     * period.
     */
    private boolean isHeld() {
        return context.guard().isWithinLease(heldSince);
    }

    /** Returns the committed events: those that are known, or those that the store has. */
    private History known() {
        History known = history;
        history = null;
        if (known != null) {
            return known;
        } else if (row.takeovers() > 0) {
            return takeOver();
        }
        List<HistoryRow> rows = historyRows();
        if (isExact) {
            return History.exactly(row, rows);
        }
        checkHeld();
        return History.all(row, rows);
    }

    /**
     * Checks, after the history was read, that the run is still under its lease. Then no other node has written any of
     * the rows that were read.
     */
    private void checkHeld() {
        if (!isStillHeld()) {
            throw new Evicted();
        }
    }

    private boolean isStillHeld() {
        return context.persist(() -> context.store().run(shard(), runId()))
                .filter(fresh -> fresh.lease() == row.lease())
                .isPresent();
    }

    /**
     * Reads the history of a run that a dead node held, and records the takeover. That is a full commit: it is applied
     * only while the run is under the lease of this execution. Its position in the history ends the appends of the
     * previous owner. One that was on its way may come first, and then the history is read again. An owner whose lease
     * has expired by its own clock sends no more.
     */
    private History takeOver() {
        for (int round = 1; ; round++) {
            History found = History.all(row, historyRows());
            if (!mustRecordTakeover(found)) {
                checkHeld();
                return found;
            }
            List<Event> takeover = List.of(takenOver(found));
            Append append = found.end().append(takeover);
            Fence fence = Fence.of(row.lease(), found.size()).inEpoch(epoch);
            CommitOutcome outcome = context.commit(
                    shard(),
                    new Commit(runId(), fence, append, row.consumed(), NextState.probation(row.lease()), List.of()));
            if (outcome instanceof CommitOutcome.Committed) {
                History recorded = found.with(takeover, append.checksum());
                end = recorded.end();
                return recorded;
            }
            checkFenced(outcome, round);
        }
    }

    /** Returns if the commit of a takeover should be tried again; otherwise throws. */
    private void checkFenced(CommitOutcome outcome, int round) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (!(outcome instanceof CommitOutcome.Fenced)) {
            throw new Evicted(); // the node is closing
        } else if (round == MOST_ROUNDS || !isStillHeld()) {
            parts.host().fenced(shard(), runId(), Set.of(row.lease()));
            throw new Evicted();
        }
    }

    /**
     * Returns true if a previous owner may still append. Only a recorded takeover ends its appends; if the last event is
     * one, nothing can have been appended since.
     */
    private boolean mustRecordTakeover(History found) {
        return claimContext.takenOver() || !(found.last() instanceof Event.TakenOver);
    }

    private Event takenOver(History found) {
        Instant now = context.clock().latest();
        Instant lostAt = Objects.requireNonNullElse(claimContext.alarm(), now);
        String from = claimContext.from().isEmpty() ? "" : context.names().of(claimContext.from());
        return new Event.TakenOver(RunLog.lastAt(found.last()), from, context.display(), claim, lostAt, now);
    }

    private List<HistoryRow> historyRows() {
        List<HistoryRow> rows = prefetched == null ? context.readHistory(row) : prefetched;
        prefetched = null;
        return rows;
    }

    /**
     * Reads the row again for a new activation from the committed events. Returns false if the run is no longer under
     * the lease of this execution.
     */
    private boolean reload() {
        RunSession active = session;
        long lease = active == null ? row.lease() : active.log().lease();
        String before = context.epoch(shard());
        List<HistoryRow> rows = context.readHistory(row);
        RunRow fresh =
                context.persist(() -> context.store().run(shard(), runId())).orElse(null);
        if (fresh == null || fresh.lease() != lease) {
            return false;
        }
        row = fresh;
        epoch = before;
        history = History.all(fresh, rows); // the row was read later: no other owner has written any of them
        return true;
    }

    private Commit unchanged(NextState next) {
        return new Commit(
                runId(),
                Fence.of(row.lease(), end.events()).inEpoch(epoch),
                Append.nothing(end.checksum()),
                row.consumed(),
                next,
                List.of());
    }

    /**
     * Hands the run to nodes with another build. If every live build has refused it, the run is stuck until a build
     * matches.
     */
    private void refuse(CodeMismatch mismatch) {
        Set<String> live = parts.host().liveBuilds(shard(), row.type());
        String refused = Builds.add(row.refused(), context.build(), live);
        boolean last = live.stream().allMatch(build -> Builds.has(refused, build));
        LOG.warn(
                "Run {} of workflow id '{}' does not match this code: {}{}",
                runId(),
                row.workflowId(),
                mismatch.getMessage(),
                last
                        ? " It is stuck until a node has a build that matches."
                        : " It is handed to nodes with another build.");
        String lane = Lanes.refused(row.lane());
        if (last) {
            commitRelease(stuck(mismatch.getMessage()).inLane(lane, refused));
        } else {
            commitRelease(NextState.pending(Alarm.NOW, WakeReason.HANDOVER).inLane(lane, refused));
            context.notifyNodes(shard(), lane, context.clock().latest());
        }
    }

    /** @param problem logged if {@code trouble} does not contain all of it; null otherwise */
    private void becomeStuck(String trouble, @Nullable Throwable problem) {
        LOG.warn("Run {} of workflow id '{}' is stuck: {}", runId(), row.workflowId(), trouble, problem);
        commitRelease(stuck(trouble));
    }

    /** Returns the stuck state, with an alarm for the next retry. The execution timeout also applies to a stuck run. */
    private NextState stuck(String trouble) {
        RunSession live = session;
        return live == null
                ? NextState.stuck(new Alarm.In(context.stuckDelay(row.createdAt())), trouble)
                : live.pauses().stuck(trouble);
    }

    private void commitRelease(NextState next) {
        Commit commit = releasing(next);
        if (commit != null) {
            context.commit(shard(), commit);
        }
    }

    /**
     * Returns a commit that releases the lease; null if the run was released before, because it may belong to another
     * node.
     */
    private @Nullable Commit releasing(NextState next) {
        RunSession live = session;
        if (live == null && !isExact) {
            return null; // where its history ends is not known: the lease must end, so that the next owner reads it all
        }
        Commit commit = live == null ? unchanged(next) : live.log().commitNothing(next);
        return commit.fence().lease() == RunRow.NO_LEASE ? null : commit;
    }
}
