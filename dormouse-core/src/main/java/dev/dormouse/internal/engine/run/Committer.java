package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.observe.Telemetry;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of a run. Commits the fresh events of its {@link RunLog} and acts on each outcome.
 *
 * <p><b>Two forms.</b> A commit that only adds events to a run which keeps executing is an append: one row of history,
 * at the end of the history as this node knows it ({@link #isAppend}). Every other commit is a full one: it changes the
 * run's row, too.
 *
 * <p><b>Fence.</b> A position of a history can be written once, so an append is refused if another node has written
 * there. A full commit carries the lease, end of history and store epoch of the run as this node knows them. The store
 * compares them with the run's row under the row's lock and applies the commit as a whole or not at all. A node that has
 * lost its lease can therefore change nothing: the new owner first records the takeover, in a full commit under its own
 * lease. After that the appends of the old owner are refused because of their position, and its full commits because of
 * their lease. If two nodes execute the same run, commits of only one of them are applied. Steps of the other may still
 * have effects outside of the store.
 *
 * <p><b>Outcomes.</b>
 *
 * <ul>
 *   <li>{@code Committed}: the events are part of the history. Only now are answers, results and outbox items
 *       announced.
 *   <li>{@code NewMail}: the inbox has messages that this run has not read. They are read first. If one was accepted
 *       before a deadline in the log, the activation restarts. Otherwise a pause or end is given up so that the code
 *       takes the messages; a commit that only depends on the deadline is sent again without the condition.
 *   <li>{@code TooEarly}: the store's clock has not reached a deadline in the log. Waits and sends the commit again.
 *   <li>{@code Fenced}: the run belongs to another node, was closed from outside, or the store failed over. The
 *       activation ends; the host checks whether the run can resume here.
 *   <li>{@code Rejected}: the store refuses the content. Results of earlier steps are saved one by one, and the run
 *       becomes stuck.
 * </ul>
 *
 * <p><b>Lost answers.</b> If the answer to a commit is lost, the writers send the identical commit again until the
 * store answers. The store recognizes a commit that it has already applied and returns {@code Committed}. So an
 * unknown outcome reaches this class only when the node closes ({@link #refused}), and from a step in a transaction,
 * which cannot be repeated ({@link #fenceOff}).
 *
 * <p><b>Threads.</b> Confined to the run's thread; while that thread has lent out its log, to the thread that took it
 * ({@link DeferredResults}). {@link #hasFreshResults} may be called by any thread.
 */
final class Committer {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final int ANY_CALL = -1;
    private static final long MOST_BYTES = 256L << 20;

    private final Activation activation;
    private final NodeContext context;
    private final RunHost host;
    private final CrashLoopGuard crashLoops;
    private final ProgressNotes progress;
    private final RunRow row;
    private final RunLog log;
    private final RunInbox inbox;
    private final Steps steps;
    private final BooleanSupplier isHeld;
    private final List<EndedAttempt> uncommittedEnds = new ArrayList<>();
    private final List<Fired> fired = new ArrayList<>();
    private boolean leaseIsShort;
    private long oldestResult;
    private volatile boolean hasFreshResults;
    private boolean warned;
    private @Nullable Throwable failed;

    /** A passed deadline whose event is in the log. */
    private record Fired(WakeReason reason, Instant due, Instant at) {}

    /** @param isHeld returns true if the lease has not expired by this node's own clock */
    Committer(Activation activation, BooleanSupplier isHeld) {
        this.activation = activation;
        this.isHeld = isHeld;
        this.context = activation.parts().context();
        this.host = activation.parts().host();
        this.crashLoops = activation.parts().crashLoops();
        this.progress = activation.parts().progress();
        this.row = activation.row();
        this.log = activation.log();
        this.inbox = activation.inbox();
        this.steps = activation.steps();
        this.leaseIsShort = row.status() == RunStatus.PARKED;
    }

    /**
     * Renews the lease with the next commit, before any step starts. Called if the lease may expire earlier than this
     * node assumes, or if the run was parked.
     */
    void renewFirst() {
        leaseIsShort = true;
    }

    /** Returns true if the lease must be renewed before a step starts. */
    boolean mustRenew() {
        return leaseIsShort;
    }

    /**
     * Notes that the end of a step is in the log. If the log is dropped, {@link #restart} returns the end to the
     * steps.
     */
    void took(EndedAttempt step) {
        if (uncommittedEnds.isEmpty()) {
            oldestResult = context.threads().nanoTime();
        }
        transacted(step);
        hasFreshResults = true;
    }

    /** Notes that the end of a step in a transaction is in the log. It is committed in that transaction. */
    void transacted(EndedAttempt step) {
        step.take();
        uncommittedEnds.add(step);
    }

    /** Reverts {@link #transacted}. */
    void notTransacted(EndedAttempt step) {
        step.drop();
        uncommittedEnds.remove(step);
    }

    /** Notes how the code ended. The exception of a failure is kept for log lines. */
    void ends(Ending ending) {
        failed = ending instanceof Ending.Failed failure ? failure.problem() : null;
    }

    /** Notes that the event of a passed deadline is in the log. */
    void fired(WakeReason reason, Instant due, Instant at) {
        fired.add(new Fired(reason, due, at));
    }

    /** Reverts the last call of {@link #fired}, after its event was removed from the log. */
    void notFired() {
        fired.remove(fired.size() - 1);
    }

    /** Drops all fresh events. Nothing outside the run depends on them. */
    void forget() {
        fired.clear();
        log.forget();
    }

    /** Returns true if step results wait to be committed. May be called by any thread. */
    boolean hasFreshResults() {
        return hasFreshResults;
    }

    /** Returns when the oldest uncommitted result was taken, by {@link Threads#nanoTime}. */
    long oldestResult() {
        return oldestResult;
    }

    /** Returns the next state of a run that keeps executing. Extends the lease if {@link #mustRenew}. */
    NextState running() {
        return leaseIsShort
                ? NextState.running(log.lease(), context.settings().leasePeriod())
                : NextState.running(log.lease());
    }

    /** Commits all fresh events of a run that keeps executing. */
    void commit() {
        commit(running(), false);
    }

    /**
     * Commits all fresh events.
     *
     * @param allMessages true if the new state is valid only if the inbox has no unread messages; otherwise unread
     *     messages matter only if a deadline is among the events
     * @return false if the code must take messages first
     */
    boolean commit(NextState next, boolean allMessages) {
        return commit(log.commit(next, allMessages || log.hasDeadline() ? inbox.seen() : null), allMessages);
    }

    boolean commit(Commit first, boolean allMessages) {
        Commit commit = first;
        while (true) {
            CommitOutcome outcome = send(commit);
            if (outcome instanceof CommitOutcome.Committed) {
                return true;
            } else if (outcome instanceof CommitOutcome.NewMail newMail) {
                inbox.arrived(newMail.mail());
                inbox.read();
                checkComplete(newMail);
                checkDeadlineHolds();
                if (allMessages) {
                    return false;
                }
                // A message that was accepted after the deadline has arrived, so all earlier messages have been read
                commit = commit.withAnyMail();
            } else if (outcome instanceof CommitOutcome.TooEarly early) {
                activation.check();
                waitOut(early);
            } else {
                throw refused(outcome);
            }
        }
    }

    private CommitOutcome send(Commit commit) {
        if (isTooLarge(commit)) {
            return new CommitOutcome.Rejected(tooLarge(commit));
        }
        log.beginWrite();
        try {
            CommitOutcome outcome = isAppend(commit)
                    ? context.writers(row.shard()).append(HistoryAppend.of(commit))
                    : context.commit(row.shard(), commit);
            if (outcome instanceof CommitOutcome.Committed committed) {
                applied(commit, committed);
            }
            return outcome;
        } finally {
            log.endWrite();
        }
    }

    /** Sends a full commit and returns its outcome, on which the caller acts. */
    CommitOutcome commitOnce(Commit commit) {
        log.beginWrite();
        try {
            return context.commit(row.shard(), commit);
        } finally {
            log.endWrite();
        }
    }

    /** Sends a commit, for which {@link RunLog#tryBeginWrite} was called, without waiting for its outcome. */
    void submit(Commit commit, Consumer<CommitOutcome> done) {
        if (isAppend(commit)) {
            context.writers(row.shard()).submit(HistoryAppend.of(commit), done);
        } else {
            context.writers(row.shard()).submit(commit, done);
        }
    }

    /**
     * Returns true if a commit may be an append: it only adds events, and by this node's own clock the lease has not
     * expired. A node that was suspended for longer sends a full commit, which shows whether the run is still its own.
     */
    private boolean isAppend(Commit commit) {
        return log.isAppend(commit) && isHeld.getAsBoolean();
    }

    /**
     * Returns true if the commit is too large to send. Databases refuse about a gigabyte, so such a commit would be
     * retried forever.
     */
    static boolean isTooLarge(Commit commit) {
        return bytes(commit) > MOST_BYTES;
    }

    private static long bytes(Commit commit) {
        long bytes = commit.append().payload().length;
        for (Outgoing item : commit.outbox()) {
            bytes += item.payload().length;
        }
        return bytes;
    }

    static StoreException tooLarge(Commit commit) {
        return new StoreException(
                ErrorCode.COMMIT_TOO_LARGE,
                "Expected a commit of at most " + (MOST_BYTES >> 20) + " MiB, but that of run " + commit.runId()
                        + " has "
                        + (bytes(commit) >> 20) + " MiB in " + commit.append().count() + " events and "
                        + commit.outbox().size() + " items for other workflow ids. Pass references instead of data.",
                null);
    }

    Evicted refused(CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            commitOneByOne();
            return activation.trouble(rejected.reason());
        }
        activation.stop(); // fenced, or this node is closing
        if (outcome instanceof CommitOutcome.Fenced) {
            host.fenced(row.shard(), row.runId(), log.leases());
        }
        return new Evicted();
    }

    /**
     * Commits step results one at a time, until one is refused: the store has refused them together with another
     * event.
     */
    private void commitOneByOne() {
        List<Event> results = log.results();
        fired.clear();
        CommitOutcome outcome = new CommitOutcome.Fenced();
        log.forget();
        for (int i = 0; i < results.size() && (i == 0 || outcome instanceof CommitOutcome.Committed); i++) {
            log.add(results.get(i));
            outcome = send(log.commit(running(), null));
        }
        log.forget();
    }

    private void checkComplete(CommitOutcome.NewMail newMail) {
        if (inbox.isEmpty()) {
            throw activation.trouble(new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected messages up to position " + newMail.mail() + " in the inbox of workflow id '"
                            + row.workflowId() + "', but there are none after " + inbox.seen()
                            + ". Rows of the inbox were deleted; restore them."));
        }
    }

    /**
     * Waits because the store's clock was set back. The node's estimate of that clock is wrong until the next answer.
     */
    private void waitOut(CommitOutcome.TooEarly early) {
        Duration left = Duration.between(early.now(), log.notBefore());
        activation.gate().pass(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT);
    }

    /** Restarts the activation if a message was accepted before a deadline that is in the log. */
    void checkDeadlineHolds() {
        if (inbox.comesBefore(log.notBefore())) {
            throw restart();
        }
    }

    /** Drops the activation. Step ends that were not committed are returned to the steps, for the next activation. */
    Evicted restart() {
        uncommittedEnds.forEach(EndedAttempt::drop);
        steps.giveBack(uncommittedEnds);
        return activation.restart();
    }

    /**
     * Commits a new lease id after the commit of a step's transaction had an unknown outcome. Returns true if that
     * succeeds: the unknown commit can then no longer be applied. Returns false if it is refused, because the unknown
     * commit was applied or the run is lost.
     */
    boolean fenceOff() {
        NextState next =
                NextState.running(context.ids().lease(), context.settings().leasePeriod());
        Commit commit = log.commit(next, null);
        boolean isOff = commitOnce(commit) instanceof CommitOutcome.Committed;
        if (isOff) {
            log.applied(commit);
        }
        return isOff;
    }

    // ---- after a commit

    /** Updates the log, steps, inbox and host after a commit was applied. */
    void applied(Commit commit, CommitOutcome.Committed committed) {
        List<Event> done = log.applied(commit);
        if (row.takeovers() > 0) {
            crashLoops.release(row.runId()); // every commit ends its probation
        }
        report(commit, committed, done);
        uncommittedEnds.clear();
        hasFreshResults = false;
        host.answered(row.runId(), done);
        done.forEach(this::stepCommitted);
        if (!commit.outbox().isEmpty()) {
            host.outboxFilled();
        }
        warnOfLength();
        leaseIsShort &= commit.next().alarm() == Alarm.KEEP;
        if (committed.mail() != CommitOutcome.MAIL_NOT_READ) {
            inbox.arrived(committed.mail());
        }
    }

    private void report(Commit commit, CommitOutcome.Committed committed, List<Event> done) {
        Telemetry telemetry = context.telemetry();
        fired.forEach(timer -> telemetry.fired(row, timer.reason(), timer.due(), timer.at()));
        fired.clear();
        for (Event event : done) {
            if (event.stepCall() >= 0) {
                telemetry.stepEnded(row, event, telemetry.hasMonitors() ? attemptOf(event.stepCall()) : 0);
                telemetry.failures().stepEnded(row, event, problemOf(event.stepCall()));
            } else if (event.isClosing()) {
                telemetry.failures().runClosed(row, event, failed == null ? problemOf(ANY_CALL) : failed);
            }
        }
        if (commit.next().status().isClosed()) {
            telemetry.closed(row, commit.next().status(), committed.at());
        }
    }

    /** Returns the attempt number of a step whose end is in the log. */
    private int attemptOf(int call) {
        return uncommittedEnds.stream()
                .filter(step -> step.step().call() == call)
                .mapToInt(step -> step.tried().attempt())
                .max()
                .orElse(1);
    }

    /**
     * Returns the exception of the last failed attempt of step {@code call}, or of any step for {@link #ANY_CALL};
     * null if unknown.
     */
    private @Nullable Throwable problemOf(int call) {
        Throwable problem = null;
        for (EndedAttempt step : uncommittedEnds) {
            if (step.end() instanceof StepEnd.Failed end
                    && (call == ANY_CALL || step.step().call() == call)) {
                problem = end.problem();
            }
        }
        return problem;
    }

    private void stepCommitted(Event event) {
        if (event instanceof Event.StepHandedOut out) {
            steps.handedOut(out.call());
        }
        int call = event.stepCall();
        if (call >= 0) {
            progress.erase(row.shard(), row.runId(), call);
        }
    }

    private void warnOfLength() {
        int limit = context.settings().historyLimit();
        if (!warned && log.size() * 10L >= limit * 8L) {
            warned = true;
            LOG.warn(
                    "Run {} of workflow id '{}' has {} events; at {} it is stuck. Let it continue as new periodically.",
                    row.runId(),
                    row.workflowId(),
                    log.size(),
                    limit);
        }
    }
}
