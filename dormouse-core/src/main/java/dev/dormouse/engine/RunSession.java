package dev.dormouse.engine;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.history.Event;
import dev.dormouse.history.Origin;
import dev.dormouse.store.Alarm;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Mail;
import dev.dormouse.store.NextState;
import dev.dormouse.store.Outgoing;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.WakeReason;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
    private static final int MOST_FRESH_MAIL = 1 << 20;

    private final Engine engine;
    private final RunRow row;
    private final List<Event> recorded;
    private final RunLog log;
    private final Gate gate;
    private final Steps steps;
    private final @Nullable Instant runDeadline;
    private final RunInbox inbox;
    private final Stay stay;
    private final Committer committer;
    private final LateResults late;
    private final Pauses pauses;
    private final StepTurn turn;
    private final CancelWatch cancels;
    private final Resumption resumption;
    private final ArrayDeque<Event> inputs = new ArrayDeque<>();
    private final Thread thread = Thread.currentThread();
    private final Abandonment abandonment;
    private final boolean mayPart;
    private volatile @Nullable Parting parting;
    private final long begun;
    private boolean isLive;
    private boolean hasRun;

    /**
     * @param epoch the store's before the run was read
     * @param recorded the committed events
     * @param gate opened when something may have come in
     * @param steps the run's steps, some of which may have begun in a stay that was thrown away
     * @param handedOver whether the node before has given the run up, perhaps in the middle of a step
     * @param isBatched whether results of steps may be committed a little later
     * @param abandonment told when the code does not end although it should
     * @param mayPart whether the last commit may be left to others, see {@link #parting}
     */
    RunSession(
            Engine engine,
            RunRow row,
            String epoch,
            List<Event> recorded,
            Gate gate,
            Steps steps,
            boolean handedOver,
            boolean isBatched,
            Abandonment abandonment,
            boolean mayPart) {
        this.engine = engine;
        this.begun = engine.threads().nanoTime();
        this.row = row;
        this.recorded = new ArrayList<>(recorded);
        this.gate = gate;
        this.steps = steps;
        steps.wantNothing();
        this.runDeadline = ((Event.RunStarted) recorded.get(0)).deadline();
        this.inbox = new RunInbox(engine, row, recorded);
        this.log = new RunLog(row, epoch, recorded, inbox.seen());
        this.cancels = new CancelWatch(engine, inbox, steps, started().chain(row.runId()), recorded);
        Instant lastEvent = recorded.get(recorded.size() - 1).at();
        this.resumption = new Resumption(engine, row, lastEvent, handedOver, isBatched);
        this.stay = new Stay(engine, row, log, inbox, steps, gate);
        this.committer = new Committer(stay);
        this.late = new LateResults(stay, committer, cancels, isBatched);
        this.pauses = new Pauses(stay, committer, runDeadline, lastEvent);
        this.turn = new StepTurn(stay, committer, late, pauses, cancels, this::afterStep);
        this.abandonment = abandonment;
        this.mayPart = mayPart;
        this.hasRun = row.nextSeq() > 1;
    }

    /** The code has come to a pause or an end before, even if nothing was recorded then. */
    void hasPaused() {
        hasRun = true;
    }

    /**
     * Lets the first line of the code run only after this moment is recorded, and after the mail that is there. Mail of
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
        if (!engine.clock().hasReached(end)) {
            if (committer.commit(NextState.pending(new Alarm.At(end), WakeReason.START), true)) {
                engine.arm(row.lane(), end);
                throw new Evicted();
            }
            waitForQuiet(debounce);
        }
    }

    /** The end of a stay whose code does not end; see {@link Session#abandon}. */
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

    @Override
    public @Nullable String mayLog() {
        return engine.witness().failures().mayLog(row.type() + " code");
    }

    RunLog log() {
        return log;
    }

    LateResults late() {
        return late;
    }

    /** Whether the stay was thrown away to begin anew. */
    boolean mustRestart() {
        return stay.mustRestart();
    }

    boolean isCommitting() {
        return parting != null || committer.isCommitting() || late.isOnItsWay();
    }

    /** Why the store will not take what this run wants to commit; null when that is not the case. */
    @Nullable
    DormouseException trouble() {
        return stay.trouble();
    }

    /** The lease was found to be gone. Means nothing if the run has another one by then. */
    void lost(long lease) {
        stay.lost(lease);
    }

    /** The lease may be older than it looks: it is renewed before anything rests on it. */
    void renewFirst() {
        committer.renewFirst();
    }

    /** Whether the run is about to leave memory. */
    boolean isOver() {
        return stay.isOver();
    }

    /** Throws the run out of memory, whatever the store says of it. */
    void stop() {
        stay.stop();
    }

    /** The state of a run that cannot go on; closes it if its time is up. */
    NextState stuck(String reason) {
        return pauses.stuck(reason);
    }

    /**
     * The code cannot go on here: what it came to until now is committed, unless that rests on a deadline. Mail that it
     * took last stays in the inbox, as it may be what the code could not read.
     */
    void keepResults() {
        log.giveMailBack();
        if (log.hasFresh() && !log.hasDeadline()) {
            stay.check();
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

    /** Asks the run to leave at its next pause. */
    void close() {
        stay.close();
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
            stay.check();
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
                engine.witness().replayed(row, row.nextSeq(), begun);
            }
        }
    }

    @Override
    public @Nullable Event close(
            List<Event> commands, List<Long> unanswered, @Nullable List<Payload> again, Ending ending) {
        replayed();
        add(commands);
        stay.check();
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
                stay.check();
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
        if (mayPart && allMail) {
            parting = new Parting(last, event);
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
        engine.closed(row.runId(), event);
    }

    /** The last commit of a run whose code has ended, and the event that closes it. */
    record Parting(Commit commit, Event event) {}

    /** What is left to be sent when the code has ended, so that no thread waits for it; null where the code did that. */
    @Nullable
    Parting parting() {
        return parting;
    }

    /** The last commit is applied. */
    void parted(Parting last, CommitOutcome.Committed committed) {
        committer.applied(last.commit(), committed);
        closed(last.event());
    }

    /** Sends the last commit once more, by a thread that waits for it. If there is mail for the code, it begins anew. */
    void partAgain(Parting last) {
        parting = null;
        if (!committer.commit(last.commit(), true)) {
            throw committer.restart();
        }
        closed(last.event());
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
        return engine.clock().hasReached(instant) || inbox.proves(instant);
    }

    /** Reads mail; if some of it came before a deadline that is in the log, the stay is thrown away. */
    private void readMail() {
        inbox.read();
        committer.checkDeadlineHolds();
    }

    private static boolean isBefore(@Nullable Deadline deadline, Instant instant) {
        return deadline != null && deadline.at().isBefore(instant);
    }

    /** Null when there is something else to be done first. */
    private @Nullable Event take(Steps.Ended step) {
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
        stay.check();
        inputs.add(add(attempt.handingOut().at(stamp())));
        committer.commit();
    }

    private @Nullable Event afterStep(Steps.Ended end) {
        stay.check();
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
        Mail item = inbox.take();
        cancels.taken(item);
        return log.add(item);
    }
}
