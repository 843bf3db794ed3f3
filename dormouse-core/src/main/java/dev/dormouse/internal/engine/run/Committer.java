package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
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
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what a run's log holds, and sees to what follows from that. Belongs to the run's thread; while that has lent
 * the log out, to whoever took it.
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
    private final List<EndedAttempt> taken = new ArrayList<>();
    private final List<Fired> fired = new ArrayList<>();
    private boolean leaseIsShort;
    private long oldestResult;
    private volatile boolean hasFreshResults;
    private boolean warned;
    private @Nullable Throwable failed;
    private volatile boolean committing;

    /** A deadline that has passed, which is in the log. */
    private record Fired(WakeReason reason, Instant due, Instant at) {}

    Committer(Activation activation) {
        this.activation = activation;
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

    boolean isCommitting() {
        return committing;
    }

    /** The lease may be older than it looks, or is no longer than a wait was: it is renewed before anything rests on it. */
    void renewFirst() {
        leaseIsShort = true;
    }

    boolean mustRenew() {
        return leaseIsShort;
    }

    /** The end of a step is in the log; if that is thrown away, the step takes it back. */
    void took(EndedAttempt step) {
        if (taken.isEmpty()) {
            oldestResult = context.threads().nanoTime();
        }
        taken.add(step);
        hasFreshResults = true;
    }

    /** The end of a step in a transaction is in the log, and is sent with that. */
    void transacted(EndedAttempt step) {
        taken.add(step);
    }

    void notTransacted(EndedAttempt step) {
        taken.remove(step);
    }

    /** The code has ended; the exception that it failed with is for the log. */
    void ends(Ending ending) {
        failed = ending instanceof Ending.Failed failure ? failure.problem() : null;
    }

    /** A deadline has passed, and is in the log. */
    void fired(WakeReason reason, Instant due, Instant at) {
        fired.add(new Fired(reason, due, at));
    }

    /** The deadline that was added last is not in the log any more. */
    void notFired() {
        fired.remove(fired.size() - 1);
    }

    /** Forgets all fresh events: nothing outside rests on them. */
    void forget() {
        fired.clear();
        log.forget();
    }

    /** May be asked by any thread. */
    boolean hasFreshResults() {
        return hasFreshResults;
    }

    /** When the first of the fresh results came, by {@link Threads#nanoTime}. */
    long oldestResult() {
        return oldestResult;
    }

    /** The state of a run that goes on executing. */
    NextState running() {
        return leaseIsShort
                ? NextState.running(log.lease(), context.settings().leasePeriod())
                : NextState.running(log.lease());
    }

    /** Commits all fresh events of a run that goes on executing. */
    void commit() {
        commit(running(), false);
    }

    /**
     * Commits all fresh events.
     *
     * @param allMail whether the new state holds only if no mail is left; otherwise mail matters only where a deadline
     *     is among the events
     * @return false when there is mail to be taken first
     */
    boolean commit(NextState next, boolean allMail) {
        return commit(log.commit(next, allMail || log.hasDeadline() ? inbox.seen() : null), allMail);
    }

    boolean commit(Commit first, boolean allMail) {
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
                if (allMail) {
                    return false;
                }
                // Mail of after the deadline is there, so all mail of before it had been seen: nothing more can come
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
        committing = true;
        try {
            CommitOutcome outcome = isTooLarge(commit)
                    ? new CommitOutcome.Rejected(tooLarge(commit))
                    : context.commit(row.shard(), commit);
            if (outcome instanceof CommitOutcome.Committed committed) {
                applied(commit, committed);
            }
            return outcome;
        } finally {
            committing = false;
        }
    }

    /** No database takes more than about a gigabyte at once: sending such a commit would never end. */
    static boolean isTooLarge(Commit commit) {
        return bytes(commit) > MOST_BYTES;
    }

    private static long bytes(Commit commit) {
        return commit.append().payload().length
                + commit.outbox().stream()
                        .mapToLong(item -> item.payload().length)
                        .sum();
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
        activation.stop(); // fenced, or the node is closing
        if (outcome instanceof CommitOutcome.Fenced) {
            host.fenced(row.shard(), row.runId(), log.leases());
        }
        return new Evicted();
    }

    /** Saves the results that the store has refused together with another, up to that. */
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
                    "Expected mail up to position " + newMail.mail() + " in the inbox of workflow id '"
                            + row.workflowId() + "', but there is none after " + inbox.seen()
                            + ". Rows of the inbox were deleted; restore them."));
        }
    }

    /** The store's clock was set back: what this node makes of it is no help until it is heard of again. */
    private void waitOut(CommitOutcome.TooEarly early) {
        Duration left = Duration.between(early.now(), log.notBefore());
        activation.gate().pass(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT);
    }

    /** If mail came before a deadline that is in the log, the activation is dropped. */
    void checkDeadlineHolds() {
        if (inbox.comesBefore(log.notBefore())) {
            throw restart();
        }
    }

    /** Drops the activation; the steps whose ends were not committed take them back. */
    Evicted restart() {
        steps.giveBack(taken);
        return activation.restart();
    }

    /** Under another lease what was sent before can no longer be applied; if this commit is refused, it was. */
    boolean fenceOff() {
        NextState next =
                NextState.running(context.ids().lease(), context.settings().leasePeriod());
        Commit commit = log.commit(next, null);
        committing = true;
        try {
            boolean isOff = context.commit(row.shard(), commit) instanceof CommitOutcome.Committed;
            if (isOff) {
                log.applied(commit);
            }
            return isOff;
        } finally {
            committing = false;
        }
    }

    // ---- what follows

    void applied(Commit commit, CommitOutcome.Committed committed) {
        List<Event> done = log.applied(commit);
        if (row.takeovers() > 0) {
            crashLoops.release(row.runId()); // every commit says that it is not on probation any more
        }
        tell(commit, committed, done);
        taken.clear();
        hasFreshResults = false;
        host.answered(row.runId(), done);
        done.forEach(this::stepCommitted);
        if (!commit.outbox().isEmpty()) {
            host.outboxFilled();
        }
        warnOfLength();
        leaseIsShort &= commit.next().alarm() == Alarm.KEEP;
        inbox.arrived(committed.mail());
    }

    private void tell(Commit commit, CommitOutcome.Committed committed, List<Event> done) {
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

    /** Of a step whose end is in the log. */
    private int attemptOf(int call) {
        return taken.stream()
                .filter(step -> step.step().call() == call)
                .mapToInt(step -> step.tried().attempt())
                .max()
                .orElse(1);
    }

    /** Returns the exception that the last attempt of a step has failed with, or of any step; null if it is not known. */
    private @Nullable Throwable problemOf(int call) {
        Throwable problem = null;
        for (EndedAttempt step : taken) {
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
                    "Run {} of workflow id '{}' has {} events; at {} it is stuck. Let it continue as new now and then.",
                    row.runId(),
                    row.workflowId(),
                    log.size(),
                    limit);
        }
    }
}
