package dev.dormouse.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Origin;
import dev.dormouse.store.Alarm;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Mail;
import dev.dormouse.store.NextState;
import dev.dormouse.store.Outgoing;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live end of a run: gives its code one input after the other, and commits what that came to whenever something
 * outside is about to rest on it: before a step begins, when the run pauses, and when it ends.
 *
 * <p>The code may run ahead of the store between commits. Its events are in the log then, and if a commit of them is
 * refused because mail turns out to have come before a deadline, the stay is thrown away and begun anew from what is
 * committed ({@link #mustRestart}): nothing outside has seen it.
 *
 * <p>All of it belongs to the run's thread, but for {@link #lost}, {@link #mailArrived}, {@link #look},
 * {@link #stop} and {@link #close()}, by which other threads tell it something and open its gate.
 */
final class RunSession implements Session {
    private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);
    private static final Duration NO_THREAD_DELAY = Duration.ofSeconds(1);
    private static final int MOST_FRESH_MAIL = 1 << 20;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_PASS = Duration.ofDays(1);

    private final Engine engine;
    private final RunRow row;
    private final List<Event> recorded;
    private final RunLog log;
    private final Gate gate;
    private final Steps steps;
    private final @Nullable Instant runDeadline;
    private final RunInbox inbox;
    private final CancelWatch cancels;
    private final Resumption resumption;
    private final List<Steps.Ended> taken = new ArrayList<>();
    private final ArrayDeque<Event> inputs = new ArrayDeque<>();
    private final Thread thread = Thread.currentThread();
    private boolean leaseIsShort;
    private boolean restart;
    private boolean warned;
    private @Nullable DormouseException trouble;
    private volatile long lostLease = RunRow.NO_LEASE;
    private volatile boolean stopped;
    private volatile boolean closing;
    private volatile boolean committing;

    /**
     * @param epoch the store's before the run was read
     * @param recorded the committed events
     * @param gate opened when something may have come in
     * @param steps the run's steps, some of which may have begun in a stay that was thrown away
     * @param handedOver whether the node before has given the run up, perhaps in the middle of a step
     */
    RunSession(
            Engine engine, RunRow row, String epoch, List<Event> recorded, Gate gate, Steps steps, boolean handedOver) {
        this.engine = engine;
        this.row = row;
        this.recorded = new ArrayList<>(recorded);
        this.gate = gate;
        this.steps = steps;
        steps.wantNothing();
        this.runDeadline = ((Event.RunStarted) recorded.get(0)).deadline();
        this.inbox = new RunInbox(engine, row, recorded);
        this.log = new RunLog(row, epoch, recorded, inbox.seen());
        this.cancels = new CancelWatch(engine, inbox, steps, started().chain(row.runId()), recorded);
        this.leaseIsShort = row.status() == RunStatus.PARKED;
        this.resumption =
                new Resumption(engine, row, recorded.get(recorded.size() - 1).at(), handedOver);
    }

    /** Lets the first line of the code run only after this moment is recorded, and after the mail that is there. */
    void begin() {
        inbox.read();
        waitForQuiet(started().origin().debounce());
        while (!inbox.isEmpty()) {
            takeMail();
        }
        log.add(new Event.RunBegan(stamp()));
        recorded.addAll(log.fresh());
    }

    /** Gives the run back until nobody has started it again for a while. */
    private void waitForQuiet(Origin.@Nullable Debounce debounce) {
        if (debounce == null) {
            return;
        }
        Instant limit = started().at().plus(debounce.limit());
        Instant quiet = inbox.lastAccepted(started().at()).plus(debounce.quiet());
        Instant end = quiet.isBefore(limit) ? quiet : limit;
        if (!engine.clock().hasReached(end)) {
            if (commit(NextState.pending(new Alarm.At(end), WakeReason.START), true)) {
                engine.arm(row.lane(), end);
                throw new Evicted();
            }
            waitForQuiet(debounce);
        }
    }

    @Override
    public RunRow run() {
        return row;
    }

    @Override
    public List<Event> recorded() {
        return recorded;
    }

    @Override
    public Instant stamp() {
        return log.stamp(engine.clock().latest());
    }

    @Override
    public UUID newRunId() {
        return engine.ids().run(stamp());
    }

    @Override
    public boolean isServed(String type) {
        return engine.isServed(row.shard(), type);
    }

    RunLog log() {
        return log;
    }

    /** Whether the stay was thrown away to begin anew. */
    boolean mustRestart() {
        return restart;
    }

    boolean isCommitting() {
        return committing;
    }

    /** Why the store will not take what this run wants to commit; null when that is not the case. */
    @Nullable
    DormouseException trouble() {
        return trouble;
    }

    /** The lease was found to be gone. Means nothing if the run has another one by then. */
    void lost(long lease) {
        lostLease = lease;
        if (isLost()) {
            gate.open();
            steps.interrupt();
        }
    }

    private boolean isLost() {
        return lostLease != RunRow.NO_LEASE && lostLease == log.lease();
    }

    /** The lease may be older than it looks: it is renewed before anything rests on it. */
    void renewFirst() {
        leaseIsShort = true;
    }

    /** Throws the run out of memory, whatever the store says of it. */
    void stop() {
        stopped = true;
        gate.open();
        steps.interrupt();
    }

    void mailArrived(long counter) {
        if (inbox.arrived(counter)) {
            gate.open();
            cancels.look();
        }
    }

    /** Something may have come in: look. */
    void look() {
        inbox.look();
        gate.open();
        cancels.look();
    }

    /** Asks the run to leave at its next pause. */
    void close() {
        closing = true;
        gate.open();
    }

    @Override
    public Event next(Blocked blocked) {
        blocked.commands().forEach(log::add);
        if (!blocked.abandoned().isEmpty() && log.hasDeadline()) {
            commit(runningState(), false); // a step that is told of it cannot be untold
        }
        blocked.abandoned().forEach(steps::abandon);
        blocked.settled().forEach(steps::settle);
        steps.want(resumption.resume(blocked.steps()));
        while (true) {
            checkHeld();
            Event done = inputs.poll();
            if (done != null) {
                return done;
            }
            Event input = input(blocked.earliest());
            if (input != null) {
                return input;
            }
            checkLength();
            if (steps.hasReady()) {
                Event result = begin(blocked.alone());
                if (result != null) {
                    return result;
                }
            } else if (!steps.hasInFlight()) {
                pause(wake(blocked.earliest()));
            } else if (log.hasFresh()) {
                commit(runningState(), false); // others wait for it: answers, children, queries
                // and look again: that may have taken a while, and passed the gate
            } else {
                waitUntil(wake(blocked.earliest()));
            }
        }
    }

    @Override
    public @Nullable Event close(
            List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending) {
        commands.forEach(log::add);
        checkHeld();
        if (ending instanceof Ending.Continued next) {
            Closing continued = Closing.continued(row, started(), next, stamp(), newRunId());
            unanswered.forEach(position -> log.add(Closing.unanswered(stamp(), position)));
            close(continued, false); // mail that is left is for the next run
            return null;
        }
        readMail();
        if (inbox.isEmpty()) {
            unanswered.forEach(position -> log.add(Closing.unanswered(stamp(), position)));
            List<Outgoing> next = again == null ? List.of() : List.of(Closing.again(row, started(), again, newRunId()));
            if (close(Closing.of(ending, stamp(), next), true)) {
                return null;
            }
            log.removeLast(unanswered.size());
        }
        return takeMail();
    }

    private Event.RunStarted started() {
        return (Event.RunStarted) recorded.get(0);
    }

    /** Tells whether it is closed; otherwise there is mail to be taken first. */
    private boolean close(Closing closing, boolean allMail) {
        Event event = add(closing.event());
        Long mail = allMail || log.hasDeadline() ? inbox.seen() : null;
        Commit last = log.close(NextState.closed(closing.status()), mail, event, closing.outbox());
        if (commit(last, allMail)) {
            steps.interrupt();
            engine.closed(row.runId(), event);
            return true;
        }
        log.removeLast(1);
        return false;
    }

    private void checkHeld() {
        if (isLost() || stopped) {
            throw new Evicted();
        }
    }

    // ---- inputs

    /**
     * The next input, if there is one. Mail and deadline are put in the order in which the store accepted the mail and
     * its clock reached the deadline.
     */
    private @Nullable Event input(@Nullable Deadline earliest) {
        readMail();
        Deadline passed = earliest != null && hasReached(earliest.at()) ? earliest : null;
        Instant end =
                runDeadline != null && hasReached(runDeadline) && !isBefore(passed, runDeadline) ? runDeadline : null;
        Instant limit = end != null ? end : passed != null ? passed.at() : Instant.MAX;
        if (inbox.comesBefore(limit)) {
            return takeMail();
        }
        cancels.over();
        Steps.Ended step = steps.poll();
        if (step != null) {
            return take(step);
        }
        if (end != null) {
            timeOut(end);
        }
        return passed == null ? null : deadlinePassed(passed);
    }

    /** By what this node knows of the store's clock, or because mail was accepted then. */
    private boolean hasReached(Instant instant) {
        return engine.clock().hasReached(instant) || inbox.proves(instant);
    }

    /** Reads mail; if some of it came before a deadline that is in the log, the stay is thrown away. */
    private void readMail() {
        inbox.read();
        checkDeadlineHolds();
    }

    private static boolean isBefore(@Nullable Deadline deadline, Instant instant) {
        return deadline != null && deadline.at().isBefore(instant);
    }

    /** Null when there is something else to be done first. */
    private @Nullable Event take(Steps.Ended step) {
        Instant decided = step.decided();
        if (decided == null) {
            taken.add(step);
            return add(step.at(stamp()));
        }
        if (log.hasFresh()) {
            steps.giveBack(List.of(step));
            gate.open();
            commit(runningState(), false); // so that a restart costs nothing but this
            return null;
        }
        if (inbox.comesBefore(decided)) {
            steps.giveBack(List.of(step));
            return takeMail();
        }
        taken.add(step);
        Instant now = stamp();
        Event event = step.at(now.isAfter(decided) ? now : decided);
        log.add(event, decided);
        return event;
    }

    /** A step hands out its token, which nobody has before that is committed. Called by the step's thread. */
    void handOut(Attempt attempt) {
        if (Thread.currentThread() != thread) {
            steps.offer(attempt);
            return;
        }
        checkHeld();
        inputs.add(add(attempt.handingOut().at(stamp())));
        commit(runningState(), false);
    }

    private Event add(Event event) {
        log.add(event);
        return event;
    }

    private Event deadlinePassed(Deadline deadline) {
        if (log.hasFresh()) {
            commit(runningState(), false); // so that a restart costs nothing but the deadline
            readMail();
            if (inbox.comesBefore(deadline.at())) {
                return takeMail();
            }
        }
        Instant now = stamp();
        Instant at = now.isAfter(deadline.at()) ? now : deadline.at();
        Event event = deadline.timer()
                ? new Event.TimerFired(at, deadline.call())
                : new Event.WaitTimedOut(at, deadline.call());
        log.add(event, deadline.at());
        return event;
    }

    private Event takeMail() {
        if (log.freshMail() > MOST_FRESH_MAIL) {
            commit(runningState(), false);
        }
        Mail item = inbox.take();
        cancels.taken(item);
        return log.add(item);
    }

    // ---- steps

    /** Begins the wanted steps; the result, where there was but one and nothing else to wait for. */
    private @Nullable Event begin(boolean alone) {
        if (closing && !steps.hasInFlight()) {
            giveBack(Alarm.NOW);
        }
        if (log.hasFresh() || leaseIsShort) {
            commit(runningState(), false);
        }
        StepCall inTransaction = steps.inTransaction();
        if (inTransaction != null) {
            startReady();
            return transact(inTransaction);
        }
        StepCall only = alone && runDeadline == null ? steps.only() : null;
        if (only != null) {
            return afterStep(cancels.runHere(only, null));
        }
        startReady();
        return null;
    }

    private void startReady() {
        try {
            steps.startReady();
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            LOG.warn("No thread for a step of run {}; it is tried again", row.runId(), noThread);
            if (!steps.hasInFlight()) {
                engine.arm(row.lane(), engine.clock().latest().plus(NO_THREAD_DELAY));
                giveBack(new Alarm.In(NO_THREAD_DELAY));
            }
            gate.pass(NO_THREAD_DELAY); // what has begun must end here
        }
    }

    private @Nullable Event afterStep(Steps.Ended end) {
        checkHeld();
        if (cancels.comes() || inbox.hasNews() || !inputs.isEmpty() || end.end() instanceof StepEnd.HandedOut) {
            steps.giveBack(List.of(end)); // what came meanwhile comes first
            return null;
        }
        return take(end);
    }

    /**
     * Executes a step whose rows and whose result are committed together. On the run's own thread: no other commit of
     * this run can come in between, and on a store with one writer it would wait for the transaction, and that for it.
     */
    private @Nullable Event transact(StepCall step) {
        Steps.Ended end;
        CommitOutcome outcome;
        try (StoreTransaction transaction = StepCommit.begin(engine, row.shard(), gate, this::checkHeld)) {
            end = cancels.runHere(step, transaction.connection());
            if (!(end.end() instanceof StepEnd.Completed)) {
                return afterStep(end);
            }
            checkHeld();
            Event event = add(end.at(stamp()));
            Commit commit = log.commit(runningState(), null);
            outcome = StepCommit.send(transaction, commit, gate, this::checkHeld);
            if (outcome instanceof CommitOutcome.Committed committed) {
                applied(commit, committed);
                return event;
            }
        }
        log.forget();
        return refused(end, outcome);
    }

    private @Nullable Event refused(Steps.Ended end, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            return afterStep(steps.failed(end, rejected.reason()));
        } else if (outcome instanceof CommitOutcome.Unknown unknown) {
            if (fenceOff()) {
                return afterStep(steps.failed(end, unknown.cause()));
            }
            restart = true;
        } else {
            stop();
        }
        throw new Evicted();
    }

    /** Under another lease what was sent before can no longer be applied; if this commit is refused, it was. */
    private boolean fenceOff() {
        NextState next =
                NextState.running(engine.ids().lease(), engine.settings().leasePeriod());
        Commit commit = log.commit(next, null);
        boolean isOff = engine.commit(row.shard(), commit) instanceof CommitOutcome.Committed;
        if (isOff) {
            log.applied(commit);
        }
        return isOff;
    }

    private NextState runningState() {
        return leaseIsShort
                ? NextState.running(log.lease(), engine.settings().leasePeriod())
                : NextState.running(log.lease());
    }

    // ---- pauses

    private @Nullable Wake wake(@Nullable Deadline earliest) {
        Wake timer = earliest == null ? null : new Wake(earliest.at(), WakeReason.TIMER);
        Wake timeout = runDeadline == null ? null : new Wake(runDeadline, WakeReason.TIMEOUT);
        return Wake.earliest(timeout, Wake.earliest(timer, steps.wake()));
    }

    private void waitUntil(@Nullable Wake wake) {
        gate.pass(steps.untilTimeUp(wake == null ? LONGEST_PASS : engine.clock().until(wake.at())));
    }

    private void pause(@Nullable Wake wake) {
        if (wake != null && mayPark(wake) && engine.table().tryPark()) {
            park(wake.at());
        } else {
            suspend(wake);
        }
    }

    /** A wait of a step is the run's alarm, and a run that waits gives up its room in a queue. */
    private boolean mayPark(Wake wake) {
        return wake.isOfCode()
                && isBrief(wake.at())
                && !closing
                && Lanes.queueOf(row.lane()).isEmpty();
    }

    private boolean isBrief(Instant wakeAt) {
        return engine.clock().until(wakeAt).compareTo(engine.settings().parkAtMost()) <= 0;
    }

    private void suspend(@Nullable Wake wake) {
        WakeReason reason = wake == null ? WakeReason.TIMER : wake.reason();
        Alarm alarm = wake == null ? Alarm.NONE : new Alarm.At(wake.at());
        if (commit(NextState.waiting(alarm, reason), true)) {
            if (wake != null && closing) {
                engine.ring(row.shard(), row.lane(), wake.at());
            } else if (wake != null) {
                engine.arm(row.lane(), wake.at());
            }
            throw new Evicted();
        }
    }

    /** Waits in memory under a lease of its own, that no renewal in flight can touch. */
    private void park(Instant wakeAt) {
        try {
            Instant takenOver = wakeAt.plus(engine.settings().parkGrace());
            if (!commit(NextState.parked(engine.ids().lease(), takenOver), true)) {
                return;
            }
            leaseIsShort = true;
            while (!isLost()
                    && !stopped
                    && !closing
                    && !inbox.hasNews()
                    && !engine.clock().hasReached(wakeAt)) {
                gate.pass(engine.clock().until(wakeAt));
            }
        } finally {
            engine.table().unpark();
        }
    }

    private void giveBack(Alarm alarm) {
        commit(NextState.pending(alarm, WakeReason.HANDOVER), false);
        engine.ring(row.shard(), row.lane(), engine.clock().latest());
        throw new Evicted();
    }

    private void timeOut(Instant deadline) {
        Event timedOut = new Event.RunTimedOut(stamp());
        log.add(timedOut, deadline);
        commit(log.close(NextState.closed(RunStatus.TIMED_OUT), null, timedOut, List.of()), false);
        steps.interrupt();
        engine.closed(row.runId(), timedOut);
        throw new Evicted();
    }

    private void checkLength() {
        int limit = engine.settings().historyLimit();
        if (log.size() >= limit) {
            commit(stuck(tooLong(limit).getMessage()), false);
            throw new Evicted();
        }
    }

    /** The state of a run that cannot go on; closes it if its time is up. */
    NextState stuck(String reason) {
        Instant end = runDeadline;
        if (end != null && engine.clock().hasReached(end)) {
            log.forget();
            timeOut(end);
        }
        Duration delay = engine.stuckDelay(recorded.get(recorded.size() - 1).at());
        boolean endsBefore = end != null && engine.clock().until(end).compareTo(delay) < 0;
        return NextState.stuck(end != null && endsBefore ? new Alarm.At(end) : new Alarm.In(delay), reason);
    }

    private DormouseException tooLong(int limit) {
        return new DormouseException(
                ErrorCode.HISTORY_TOO_LONG,
                "Expected fewer than " + limit + " events in the history of run " + row.runId() + " (workflow id '"
                        + row.workflowId() + "'), but it has " + log.size()
                        + ". Raise the history limit, or let the workflow continue as new now and then.");
    }

    // ---- commits

    /**
     * Commits all fresh events.
     *
     * @param allMail whether the new state holds only if no mail is left; otherwise mail matters only where a deadline
     *     is among the events
     * @return false when there is mail to be taken first
     */
    private boolean commit(NextState next, boolean allMail) {
        return commit(log.commit(next, allMail || log.hasDeadline() ? inbox.seen() : null), allMail);
    }

    private boolean commit(Commit first, boolean allMail) {
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
                checkHeld();
                waitOut(early);
            } else if (outcome instanceof CommitOutcome.Rejected rejected) {
                trouble = rejected.reason();
                throw new Evicted();
            } else {
                stop(); // fenced, or the node is closing
                throw new Evicted();
            }
        }
    }

    private CommitOutcome send(Commit commit) {
        committing = true;
        try {
            CommitOutcome outcome = engine.commit(row.shard(), commit);
            if (outcome instanceof CommitOutcome.Committed committed) {
                applied(commit, committed);
            }
            return outcome;
        } finally {
            committing = false;
        }
    }

    private void checkComplete(CommitOutcome.NewMail newMail) {
        if (inbox.isEmpty()) {
            trouble = new DormouseException(
                    ErrorCode.HISTORY_DAMAGED,
                    "Expected mail up to position " + newMail.mail() + " in the inbox of workflow id '"
                            + row.workflowId() + "', but there is none after " + inbox.seen()
                            + ". Rows of the inbox were deleted; restore them.");
            throw new Evicted();
        }
    }

    /** The store's clock was set back: what this node makes of it is no help until it is heard of again. */
    private void waitOut(CommitOutcome.TooEarly early) {
        Duration left = Duration.between(early.now(), log.notBefore());
        gate.pass(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT);
    }

    private void applied(Commit commit, CommitOutcome.Committed committed) {
        List<Event> done = log.applied(commit);
        taken.clear();
        engine.answered(row.runId(), done);
        done.forEach(this::stepCommitted);
        if (!commit.outbox().isEmpty()) {
            engine.outboxFilled();
        }
        warnOfLength();
        leaseIsShort &= commit.next().alarm() == Alarm.KEEP;
        inbox.arrived(committed.mail());
    }

    private void stepCommitted(Event event) {
        if (event instanceof Event.StepHandedOut out) {
            steps.handedOut(out.call());
        }
        int call = event.stepCall();
        if (call >= 0) {
            engine.notes().erase(row.shard(), row.runId(), call);
        }
    }

    private void warnOfLength() {
        int limit = engine.settings().historyLimit();
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

    private void checkDeadlineHolds() {
        if (inbox.comesBefore(log.notBefore())) {
            restart = true;
            steps.giveBack(taken);
            throw new Evicted();
        }
    }
}
