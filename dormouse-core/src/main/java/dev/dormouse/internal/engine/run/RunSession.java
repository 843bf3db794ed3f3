package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.Blocked;
import dev.dormouse.internal.run.Deadline;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.WakeReason;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a run: the code's connection to the world, from the moment its history is read until it leaves memory or
 * starts over. It gives the code one input after the other and commits what the code has done with them.
 *
 * <p><b>Running ahead.</b> The code does not wait for the store after every event. Events collect in the {@link RunLog}
 * and are committed together when something outside is about to depend on them: before a step begins, before a result is
 * handed out, when the run pauses, and when it ends. Until then nothing outside has seen them, so they can be dropped.
 *
 * <p><b>Order.</b> Messages, deadlines and the ends of steps reach the code in one order, which the history records. The
 * store decides it: a message that it accepted before a deadline comes first. The code may have been told of the deadline
 * already, by a node that had not heard of the message. Therefore a commit that contains a deadline names the last message
 * that was taken, and the store refuses it if a message was accepted in between.
 *
 * <p><b>Restart.</b> After such a refusal the events since the last commit are not true, and neither is the state of the
 * code. The activation is dropped and {@link RunExecution} starts another one from what is committed, on the same thread.
 * Steps that ended in between keep their results ({@link Committer#restart}): they were executed once and are offered to
 * the next activation.
 *
 * <p><b>The last commit.</b> When the code has returned, no thread is needed any more. If the run may end without further
 * messages, its last commit is left to the writers ({@link #finalCommit}) and the thread goes. If that commit is refused,
 * because a message came in, a new thread sends it again and waits ({@link #retryFinalCommit}); the code then takes
 * the message in a new activation.
 *
 * <p><b>Threads.</b> All of it belongs to the run's thread, except {@link #mailArrived}, {@link #look} and the methods of
 * {@link Activation}, by which other threads report something and open the gate at which the run waits.
 */
final class RunSession implements Session {
    private static final int MOST_FRESH_MAIL = 1 << 20;

    private final NodeContext context;
    private final RunHost host;
    private final RunRow row;
    private final List<Event> recorded;
    private final RunLog log;
    private final Gate gate;
    private final Steps steps;
    private final @Nullable Instant runDeadline;
    private final RunInbox inbox;
    private final Activation activation;
    private final Committer committer;
    private final DeferredResults late;
    private final Pauses pauses;
    private final StepTurn turn;
    private final CancelWatch cancels;
    private final Resumption resumption;
    private final ArrayDeque<Event> inputs = new ArrayDeque<>();
    private final Thread thread = Thread.currentThread();
    private final Abandonment abandonment;
    private final boolean mayLeaveFinalCommit;
    private volatile @Nullable FinalCommit finalCommit;
    private final long begun;
    private boolean isLive;
    private boolean hasRun;

    /**
     * @param epoch the store's before the run was read
     * @param recorded the committed events
     * @param gate opened when something may have come in
     * @param steps the run's steps, some of which may have begun in a activation that was thrown away
     * @param handedOver whether the node before has given the run up, perhaps in the middle of a step
     * @param isBatched whether results of steps may be committed a little later
     * @param abandonment told when the code does not end although it should
     * @param mayLeaveFinalCommit whether the last commit may be left to others, see {@link #finalCommit}
     */
    RunSession(
            RunParts parts,
            RunRow row,
            String epoch,
            List<Event> recorded,
            Gate gate,
            Steps steps,
            boolean handedOver,
            boolean isBatched,
            Abandonment abandonment,
            boolean mayLeaveFinalCommit) {
        this.context = parts.context();
        this.host = parts.host();
        this.begun = context.threads().nanoTime();
        this.row = row;
        this.recorded = new ArrayList<>(recorded);
        this.gate = gate;
        this.steps = steps;
        steps.wantNothing();
        this.runDeadline = ((Event.RunStarted) recorded.get(0)).deadline();
        this.inbox = new RunInbox(context, row, recorded);
        this.log = new RunLog(row, epoch, recorded, inbox.seen());
        this.cancels = new CancelWatch(context, inbox, steps, started().chain(row.runId()), recorded);
        Instant lastEvent = recorded.get(recorded.size() - 1).at();
        this.resumption = new Resumption(context, parts.progress(), row, lastEvent, handedOver, isBatched);
        this.activation = new Activation(parts, row, log, inbox, steps, gate);
        this.committer = new Committer(activation);
        this.late = new DeferredResults(activation, committer, cancels, isBatched);
        this.pauses = new Pauses(activation, committer, runDeadline, lastEvent);
        this.turn = new StepTurn(activation, committer, late, pauses, cancels, this::afterStep);
        this.abandonment = abandonment;
        this.mayLeaveFinalCommit = mayLeaveFinalCommit;
        this.hasRun = row.nextSeq() > 1;
    }

    /** The code has come to a pause or an end before, even if nothing was recorded then. */
    void hasPaused() {
        hasRun = true;
    }

    /**
     * Lets the first line of the code run only after this moment is recorded, and after the mail that is there. InboxMessage of
     * after the run's deadline is not among that: it must not be taken for the reason why the code ended.
     */
    void begin() {
        inbox.read();
        waitForQuiet(started().origin().debounce());
        while (runDeadline == null ? !inbox.isEmpty() : inbox.comesBefore(runDeadline)) {
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
        if (!context.clock().hasReached(end)) {
            if (committer.commit(NextState.pending(new Alarm.At(end), WakeReason.START), true)) {
                host.arm(row.lane(), end);
                throw new Evicted();
            }
            waitForQuiet(debounce);
        }
    }

    /** The end of a activation whose code does not end; see {@link Session#abandon}. */
    interface Abandonment {
        void abandon(Throwable reason, String line, boolean isFirst);
    }

    @Override
    public void abandon(Throwable reason, String line, boolean isFirst) {
        abandonment.abandon(reason, line, isFirst);
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
    public boolean hasRun() {
        return hasRun;
    }

    @Override
    public Instant stamp() {
        return log.stamp(context.clock().latest());
    }

    @Override
    public UUID newRunId() {
        return context.ids().run(stamp());
    }

    @Override
    public boolean isServed(String type) {
        return host.isServed(row.shard(), type);
    }

    @Override
    public @Nullable String mayLog() {
        return context.telemetry().failures().mayLog(row.type() + " code");
    }

    RunLog log() {
        return log;
    }

    DeferredResults late() {
        return late;
    }

    Committer committer() {
        return committer;
    }

    Pauses pauses() {
        return pauses;
    }

    /** Whether this activation continues, and if not, why. */
    Activation activation() {
        return activation;
    }

    boolean isCommitting() {
        return finalCommit != null || committer.isCommitting() || late.isOnItsWay();
    }

    /**
     * The code cannot go on here: what it came to until now is committed, unless that rests on a deadline. InboxMessage that it
     * took last stays in the inbox, as it may be what the code could not read.
     */
    void keepResults() {
        log.giveMailBack();
        if (log.hasFresh() && !log.hasDeadline()) {
            activation.check();
            committer.commit();
        }
    }

    void mailArrived(long counter) {
        inbox.arrived(counter);
        if (inbox.hasNews()) {
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

    @Override
    public Event next(Blocked blocked) {
        replayed();
        add(blocked.commands());
        if (!blocked.abandoned().isEmpty() && log.hasDeadline()) {
            committer.commit(); // a step that is told of it cannot be untold
        }
        blocked.abandoned().forEach(steps::abandon);
        blocked.settled().forEach(steps::settle);
        steps.want(resumption.resume(blocked.steps()));
        while (true) {
            activation.check();
            Event done = inputs.poll();
            if (done != null) {
                return done;
            }
            Event input = input(blocked.earliest());
            if (input != null) {
                return input;
            }
            pauses.checkLength();
            if (steps.hasReady()) {
                Event result = turn.begin(blocked.alone() && runDeadline == null);
                if (result != null) {
                    return result;
                }
            } else if (!steps.hasInFlight()) {
                pauses.pause(blocked.earliest());
            } else if (!log.hasFresh()) {
                pauses.await(blocked.earliest());
            } else if (!late.left().isZero()) {
                pauses.await(blocked.earliest(), late.left());
            } else {
                committer.commit(); // others wait for it: answers, children, queries
                // and look again: that may have taken a while, and passed the gate
            }
        }
    }

    /** The code has come to where it stood; told once, and not of a run that has just begun. */
    private void replayed() {
        if (!isLive) {
            isLive = true;
            if (row.nextSeq() > 1) {
                context.telemetry().replayed(row, row.nextSeq(), begun);
            }
        }
    }

    @Override
    public @Nullable Event close(
            List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending) {
        replayed();
        add(commands);
        activation.check();
        committer.ends(ending);
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

    /** Adds what the code asked for. What would make one large commit is committed in parts. */
    private void add(List<Event> commands) {
        for (Event command : commands) {
            if (log.isLarge()) {
                activation.check();
                committer.commit();
            }
            log.add(command);
        }
    }

    private Event.RunStarted started() {
        return (Event.RunStarted) recorded.get(0);
    }

    /** Tells whether it is closed; otherwise there is mail to be taken first. */
    private boolean close(Closing closing, boolean allMail) {
        Event event = add(closing.event());
        Long mail = allMail || log.hasDeadline() ? inbox.seen() : null;
        Commit last = log.close(NextState.closed(closing.status()), mail, event, closing.outbox());
        if (mayLeaveFinalCommit && allMail) {
            finalCommit = new FinalCommit(last, event);
            return true;
        }
        if (committer.commit(last, allMail)) {
            closed(event);
            return true;
        }
        log.removeLast(1);
        return false;
    }

    private void closed(Event event) {
        steps.interrupt();
        host.closed(row.runId(), event);
    }

    /** The last commit of a run whose code has ended, and the event that closes it. */
    record FinalCommit(Commit commit, Event event) {}

    /** What is left to be sent when the code has ended, so that no thread waits for it; null where the code did that. */
    @Nullable
    FinalCommit finalCommit() {
        return finalCommit;
    }

    /** The last commit is applied. */
    void finalCommitApplied(FinalCommit last, CommitOutcome.Committed committed) {
        committer.applied(last.commit(), committed);
        closed(last.event());
    }

    /** Sends the last commit once more, by a thread that waits for it. If there is mail for the code, it begins anew. */
    void retryFinalCommit(FinalCommit last) {
        finalCommit = null;
        if (!committer.commit(last.commit(), true)) {
            throw committer.restart();
        }
        closed(last.event());
    }

    // ---- inputs

    /**
     * The next input, if there is one. InboxMessage and deadline are put in the order in which the store accepted the mail and
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
        EndedAttempt step = steps.poll();
        if (step != null) {
            return take(step);
        }
        if (end != null) {
            return timeOut(end);
        }
        return passed == null ? null : deadlinePassed(passed);
    }

    /** Closes the run once it has taken all its mail. What was accepted after the deadline cannot change how it ends. */
    private Event timeOut(Instant deadline) {
        if (inbox.isEmpty()) {
            pauses.timeOut(deadline); // returns if mail has come meanwhile
        }
        return takeMail();
    }

    /** By what this node knows of the store's clock, or because mail was accepted then. */
    private boolean hasReached(Instant instant) {
        return context.clock().hasReached(instant) || inbox.proves(instant);
    }

    /** Reads mail; if some of it came before a deadline that is in the log, the activation is dropped. */
    private void readMail() {
        inbox.read();
        committer.checkDeadlineHolds();
    }

    private static boolean isBefore(@Nullable Deadline deadline, Instant instant) {
        return deadline != null && deadline.at().isBefore(instant);
    }

    /** Null when there is something else to be done first. */
    private @Nullable Event take(EndedAttempt step) {
        Instant decided = step.decided();
        if (decided == null) {
            committer.took(step);
            return add(step.at(stamp()));
        }
        if (log.hasFresh()) {
            steps.giveBack(List.of(step));
            gate.open();
            committer.commit(); // so that a restart costs nothing but this
            return null;
        }
        if (inbox.comesBefore(decided)) {
            steps.giveBack(List.of(step));
            return takeMail();
        }
        committer.took(step);
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
        late.takeBack();
        activation.check();
        inputs.add(add(attempt.handingOut().at(stamp())));
        committer.commit();
    }

    private @Nullable Event afterStep(EndedAttempt end) {
        activation.check();
        if (cancels.comes() || inbox.hasNews() || !inputs.isEmpty() || end.end() instanceof StepEnd.HandedOut) {
            steps.giveBack(List.of(end)); // what came meanwhile comes first
            return null;
        }
        return take(end);
    }

    private Event add(Event event) {
        log.add(event);
        return event;
    }

    private Event deadlinePassed(Deadline deadline) {
        if (log.hasFresh()) {
            committer.commit(); // so that a restart costs nothing but the deadline
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
        committer.fired(WakeReason.TIMER, deadline.at(), now);
        return event;
    }

    private Event takeMail() {
        if (log.freshBytes() > MOST_FRESH_MAIL) {
            committer.commit();
        }
        InboxMessage item = inbox.take();
        cancels.taken(item);
        return log.add(item);
    }
}
