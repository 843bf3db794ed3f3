package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.history.History;
import dev.dormouse.history.Progress;
import dev.dormouse.store.Alarm;
import dev.dormouse.store.Append;
import dev.dormouse.store.Claimed;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.HistoryRow;
import dev.dormouse.store.NextState;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
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
final class RunExecution implements Runnable, Attempt.Context {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecution.class);
    private static final Duration NO_THREAD_DELAY = Duration.ofSeconds(1);

    private final Engine engine;
    private final RunCode code;
    private final Arrival arrival;
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
    private boolean mayPart = true;
    private boolean ended;
    private boolean hasPaused;
    private @Nullable RunExecution successor;

    /**
     * A run that was started here.
     *
     * @param isFresh whether its lease is known to be new
     */
    RunExecution(Engine engine, RunCode code, RunRow row, Event.RunStarted started, boolean isFresh) {
        this(engine, code, row, Arrival.started(isFresh));
        this.history = List.of(started);
    }

    /** A run that was claimed, whose code may not be known here although its lane is. */
    static RunExecution of(Engine engine, @Nullable RunCode code, Claimed.Run run) {
        return new RunExecution(engine, code == null ? new UnknownCode(run.row()) : code, run);
    }

    /** A run that was claimed. */
    private RunExecution(Engine engine, RunCode code, Claimed.Run run) {
        this(engine, code, run.row(), Arrival.claimed(run));
        this.hasPaused = run.before() == RunStatus.WAITING || run.before() == RunStatus.PARKED;
        engine.witness().claimed(run, arrival.takenOver());
    }

    /** A run that was here before the store changed, and still is under its lease. */
    static RunExecution resumed(Engine engine, RunCode code, RunRow row) {
        return new RunExecution(engine, code, row, Arrival.started(false));
    }

    private RunExecution(Engine engine, RunCode code, RunRow row, Arrival arrival) {
        this.engine = engine;
        this.code = code;
        this.row = row;
        this.epoch = engine.epoch(row.shard());
        this.arrival = arrival;
        this.claim = row.lease();
        this.heldSince = engine.threads().nanoTime();
        this.gate = engine.threads().newGate();
        this.steps = new Steps(engine.threads(), this, gate);
        this.place = new LentPlace(engine.table());
    }

    UUID runId() {
        return row.runId();
    }

    int shard() {
        return row.shard();
    }

    /** The lease under which it executes now; {@link RunRow#NO_LEASE} while it is parked. */
    long renewableLease() {
        RunSession live = session;
        return live == null ? row.lease() : live.log().renewable();
    }

    /** The lease under which the store should have it, whether it executes or is parked. */
    long lease() {
        RunSession live = session;
        return live == null ? row.lease() : live.log().lease();
    }

    boolean isHeldFor(long nanos) {
        return engine.threads().nanoTime() - heldSince >= nanos;
    }

    void lost(long lease) {
        RunSession live = session;
        if (live != null) {
            live.lost(lease);
        } else if (row.lease() == lease) {
            stop();
        }
    }

    void mailArrived(long counter) {
        RunSession live = session;
        if (live != null) {
            live.mailArrived(counter);
        }
    }

    void look() {
        RunSession live = session;
        if (live != null) {
            live.look();
        }
    }

    /** Whether it is about to leave memory, so that another execution of its run may follow. */
    boolean isOver() {
        RunSession live = session;
        return stopped || live != null && live.isOver();
    }

    /** Whether its row says that it is on probation, unless that has ended since. */
    boolean isOnProbation() {
        return onProbation;
    }

    /** Whether it was asked to leave memory. */
    boolean isLeaving() {
        return stopped || closing;
    }

    /** Throws it out of memory because the store has changed; it resumes if the store still has it under its lease. */
    void reread() {
        RunSession live = session;
        engine.recovery()
                .lost(
                        runId(),
                        shard(),
                        live == null ? Set.of(row.lease()) : live.log().leases());
        stop();
    }

    /** Throws it out of memory without a word to the store. */
    void stop() {
        stopped = true;
        engine.crashLoops().abandon(this);
        RunSession live = session;
        if (live != null) {
            live.stop();
        }
    }

    /** Asks it to leave at its next pause. */
    void close() {
        closing = true;
        engine.crashLoops().abandon(this);
        RunSession live = session;
        if (live != null) {
            live.close();
        }
    }

    /** Whether a commit of its own is on its way. */
    boolean isCommitting() {
        RunSession live = session;
        return live != null && live.isCommitting();
    }

    /** The commit that gives its lease up from outside, while its thread is held up in a step; null if it has none. */
    @Nullable
    Commit release() {
        return givingUp(NextState.pending(Alarm.NOW, WakeReason.HANDOVER));
    }

    String lane() {
        return row.lane();
    }

    /** Whether its thread executes a step while results of earlier ones wait to be committed. */
    boolean isLent() {
        RunSession live = session;
        return live != null && live.late().isLent();
    }

    /** Commits results that have waited for so long; tells whether there are some that have not. */
    boolean flush(Duration waited) {
        RunSession live = session;
        return live != null && live.late().flush(waited);
    }

    boolean hasLateResults() {
        RunSession live = session;
        return live != null && live.late().hasSome();
    }

    // ---- for its steps

    @Override
    public StoreClock clock() {
        return engine.clock();
    }

    @Override
    public long nanoTime() {
        return engine.threads().nanoTime();
    }

    @Override
    public double chance() {
        return engine.ids().fraction();
    }

    @Override
    public UUID newToken() {
        return engine.ids().token();
    }

    @Override
    public void note(int call, int attempt, Progress progress) {
        long lease = renewableLease();
        if (lease != RunRow.NO_LEASE) {
            engine.notes().write(shard(), runId(), lease, call, attempt, progress);
        }
    }

    @Override
    public Runnable labelled(Runnable body) {
        return LogLabels.around(row, body);
    }

    @Override
    public Gate newGate() {
        return engine.threads().newGate();
    }

    @Override
    public LentPlace place() {
        return place;
    }

    @Override
    public void fired(WakeReason reason, Instant due) {
        engine.witness().fired(row, reason, due, engine.clock().latest());
    }

    @Override
    public void handOut(Attempt attempt) {
        RunSession live = session;
        if (live != null) {
            live.handOut(attempt);
        }
    }

    // ---- its life

    /** Enters the run and begins, once a copy of it that was here before has ended. */
    void begin() {
        RunExecution old = engine.table().put(this);
        if (old == null || !old.precede(this)) {
            start();
        }
    }

    /** Its thread begins when its history is there; one that may have killed its node with that reads it when it may. */
    private void start() {
        if (history != null || row.takeovers() > 0) {
            start(this);
            return;
        }
        engine.writers(shard()).readHistory(row, rows -> {
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
            engine.threads().startCode("run " + row.workflowId(), labelled(body));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            LOG.warn("No thread for run {}; it is tried again", row.runId(), noThread);
            Commit givenBack = givingUp(NextState.pending(new Alarm.In(NO_THREAD_DELAY), WakeReason.HANDOVER));
            if (givenBack != null) {
                engine.writers(shard()).submit(givenBack, outcome -> {});
            }
            end();
        }
    }

    private synchronized boolean precede(RunExecution next) {
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

    /** @param part of its life; tells whether the last commit is on its way, with which the run ends */
    private void live(BooleanSupplier part) {
        boolean parts = false;
        try {
            parts = orGiveUp(part);
        } catch (Evicted gone) {
            // what it came to is in the store
        } finally {
            if (!parts) {
                end();
            }
        }
    }

    private boolean orGiveUp(BooleanSupplier part) {
        try {
            return part.getAsBoolean();
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
        engine.crashLoops().release(runId());
        engine.table().remove(this);
        engine.table().release(1);
        engine.left(runId(), shard());
        engine.queues().left(row.lane());
        RunExecution next;
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
        boolean waits = new Probation(engine, row, arrival, this::unchanged).mustWait(this);
        onProbation = !waits;
        return waits;
    }

    /** Tells whether its last commit is on its way. */
    private boolean execute() {
        engine.deafCode().check(row);
        RunSession stay;
        do {
            stay = beginStay();
            try {
                code.execute(stay);
            } catch (Evicted gone) {
                checkAccepted(stay);
            } catch (CodeMismatch mismatch) {
                keepResults(stay);
                throw mismatch;
            }
        } while (stay.mustRestart() && reload());
        return part(stay);
    }

    /** Continues without code that does not end; see {@link Session#abandon}. */
    private void abandon(Throwable reason, String line, boolean isFirst) {
        CodeMismatch deaf = engine.deafCode().abandoned(row, line);
        if (isFirst) {
            start(() -> live(() -> leaveCodeBehind(reason, deaf)));
        }
    }

    /** Ends a stay as its code would have, had it let the reason pass. */
    private boolean leaveCodeBehind(Throwable reason, CodeMismatch deaf) {
        RunSession stay = Objects.requireNonNull(session);
        if (reason instanceof Evicted) {
            checkAccepted(stay);
            if (stay.mustRestart() && reload()) {
                throw deaf;
            }
            return false;
        }
        if (reason instanceof CodeMismatch) {
            keepResults(stay);
        }
        if (reason instanceof RuntimeException problem) {
            throw problem;
        }
        throw (Error) reason;
    }

    /** The code has ended, so that nothing is left for this thread to do: the run ends with its last commit. */
    private boolean part(RunSession stay) {
        RunSession.Parting last = stay.parting();
        if (last != null && Committer.isTooLarge(last.commit())) {
            throw Committer.tooLarge(last.commit());
        } else if (last != null) {
            engine.writers(shard()).submit(last.commit(), outcome -> parted(stay, last, outcome));
        }
        return last != null;
    }

    private void parted(RunSession stay, RunSession.Parting last, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            try {
                stay.parted(last, committed);
            } finally {
                end();
            }
        } else {
            start(() -> live(() -> partAgain(stay, last)));
        }
    }

    /** From here on a thread waits for each commit: mail that comes in all the time is taken by code that is there. */
    private boolean partAgain(RunSession stay, RunSession.Parting last) {
        mayPart = false;
        try {
            stay.partAgain(last);
        } catch (Evicted gone) {
            checkAccepted(stay);
        }
        return stay.mustRestart() && reload() && execute();
    }

    /** What steps came to here counts, also if it is for others to go on from there. */
    private static void keepResults(RunSession stay) {
        try {
            stay.keepResults();
        } catch (Evicted gone) {
            checkAccepted(stay);
            throw gone;
        }
    }

    private static void checkAccepted(RunSession stay) {
        DormouseException trouble = stay.trouble();
        if (trouble != null) {
            throw trouble;
        }
    }

    private RunSession beginStay() {
        List<Event> events = history == null ? History.read(row, historyRows()) : history;
        history = null;
        RunSession stay = new RunSession(
                engine,
                row,
                epoch,
                events,
                gate,
                steps,
                arrival.handedOver(),
                code.isBatched(),
                this::abandon,
                mayPart);
        session = stay;
        if (hasPaused) {
            stay.hasPaused();
        }
        hasPaused = true;
        noteTakeover(stay, events);
        if (closing) {
            stay.close();
        }
        if (stopped) {
            throw new Evicted();
        }
        if (arrival.renewFirst()) {
            stay.renewFirst();
        }
        if (events.size() == 1
                && code.recordsItsBeginning()
                && (arrival.startDue() || ((Event.RunStarted) events.get(0)).startAt() != null)) {
            stay.begin();
        }
        return stay;
    }

    /** A stay that begins anew tells of it again, unless that is committed. */
    private void noteTakeover(RunSession stay, List<Event> events) {
        Instant alarm = arrival.alarm();
        if (alarm == null || !arrival.takenOver() || arrival.from().isEmpty()) {
            return;
        }
        boolean isNoted =
                events.stream().anyMatch(event -> event instanceof Event.TakenOver over && over.lease() == claim);
        if (!isNoted) {
            stay.log()
                    .takenOver(
                            engine.names().of(arrival.from()),
                            engine.display(),
                            claim,
                            alarm,
                            engine.clock().latest());
        }
    }

    private List<HistoryRow> historyRows() {
        List<HistoryRow> rows = read == null ? engine.readHistory(row) : read;
        read = null;
        return rows;
    }

    /** Reads the row again, to begin anew from what is committed; false when the run is not ours any more. */
    private boolean reload() {
        RunSession stay = session;
        long lease = stay == null ? row.lease() : stay.log().lease();
        String before = engine.epoch(shard());
        RunRow fresh =
                engine.persist(() -> engine.store().run(shard(), runId())).orElse(null);
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
        Set<String> live = engine.liveBuilds(shard(), row.type());
        String refused = Builds.add(row.refused(), engine.build(), live);
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
            engine.ring(shard(), lane, engine.clock().latest());
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
                ? NextState.stuck(new Alarm.In(engine.stuckDelay(row.createdAt())), trouble)
                : live.stuck(trouble);
    }

    private void giveUp(NextState next) {
        Commit commit = givingUp(next);
        if (commit != null) {
            engine.commit(shard(), commit);
        }
    }

    /** A commit of a state without its lease; null when the run was given up before, as then it is not ours to change. */
    private @Nullable Commit givingUp(NextState next) {
        RunSession live = session;
        Commit commit = live == null ? unchanged(next) : live.log().commitNothing(next);
        return commit.fence().lease() == RunRow.NO_LEASE ? null : commit;
    }
}
