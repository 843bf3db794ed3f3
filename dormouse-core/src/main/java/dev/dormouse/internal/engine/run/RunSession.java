package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.Blocked;
import dev.dormouse.internal.run.Deadline;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.RunProgress;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a run: the interface between its code and the store, from the moment its history is read until it
 * leaves memory or restarts. It passes one input after the other to the code and commits the resulting events.
 *
 * <p><b>Running ahead.</b> The code does not wait for the store after every event. Events collect in the {@link
 * RunLog} and are committed together when something outside is about to depend on them: before a step starts, before
 * a token is handed out, when the run pauses, and when it ends. Until then nothing outside has seen them, so they can
 * be dropped. Step results of batched types are the exception: {@link DeferredResults} may commit them while the next
 * step executes.
 *
 * <p><b>Order.</b> Messages, deadlines and the ends of steps reach the code in one order, which the history records.
 * The store decides it: a message that it accepted before a deadline comes first. The code may have taken the
 * deadline already, on a node that did not know of the message. Therefore a commit that contains a deadline names the
 * last message that was read, and the store refuses it if a later message was accepted.
 *
 * <p><b>Restart.</b> After such a refusal the run reads the message. If it was accepted before the deadline, the events
 * since the last commit are wrong, and so is the state of the code. The activation is dropped and {@link RunExecution}
 * starts another one from the committed events, on the same thread. If it was accepted later, the events are right and
 * the commit is sent again. Only a pause or end is given up, so that the code takes the message. Steps that ended in
 * between keep their results ({@link Committer#restart}): they were executed once and are offered to the next
 * activation.
 *
 * <p><b>The final commit.</b> When the code has returned, no thread is needed. If the run may end without further
 * messages, its final commit is left to the writers ({@link #finalCommit}) and the thread ends. If that commit is
 * refused, because a message arrived, a new thread sends it again and waits ({@link #retryFinalCommit}). The code
 * then takes the message in a new activation.
 *
 * <p><b>Threads.</b> Confined to the run's thread, except {@link #messagesArrived}, {@link #look},
 * {@link #isCommitting}, {@code handOut} (called by the thread of a step), {@code finalCommitApplied} (called by a
 * writer) and the methods of {@link Activation} by which other threads end it. Those threads only open the gate. The
 * run's thread then checks for itself what has changed, so a spurious wake-up costs one check.
 */
final class RunSession implements Session {
    private static final int MAX_FRESH_BYTES = 1 << 20;

    private final NodeContext context;
    private final RunHost host;
    private final RunRow row;
    private final List<Event> recorded;
    private final RunLog log;
    private final Gate gate;
    private final Steps steps;
    private final @Nullable Instant runDeadline;
    private final String epoch;
    private final RunInbox inbox;
    private final Activation activation;
    private final Committer committer;
    private final DeferredResults deferred;
    private final Pauses pauses;
    private final StepTurn turn;
    private final CancelWatch cancels;
    private final Resumption resumption;
    private final ArrayDeque<Event> inputs = new ArrayDeque<>();
    private final Thread thread = Thread.currentThread();
    private final Abandonment abandonment;
    private final Map<String, Integer> decidedVersions;
    private final boolean mayLeaveFinalCommit;
    private volatile @Nullable FinalCommit finalCommit;
    private final long activatedAt;
    private final int events;
    private boolean isLive;
    private boolean hasRun;

    /**
     * @param epoch the store's epoch before the run was read
     * @param known the committed events
     * @param isHeld returns true if the lease has not expired by this node's own clock
     * @param gate opened when an input may have arrived
     * @param steps the run's steps, some of which may have started in an activation that was dropped
     * @param handedOver true if the previous node released the run, possibly in the middle of a step
     * @param isBatched true if step results may be committed late
     * @param abandonment called if the code does not end although it should
     * @param decidedVersions the versions that earlier activations have decided; see {@link Session#decidedVersions}
     * @param mayLeaveFinalCommit true if the final commit may be left to the writers, see {@link #finalCommit}
     */
    RunSession(
            RunParts parts,
            RunRow row,
            String epoch,
            History known,
            BooleanSupplier isHeld,
            Gate gate,
            Steps steps,
            boolean handedOver,
            boolean isBatched,
            Abandonment abandonment,
            Map<String, Integer> decidedVersions,
            boolean mayLeaveFinalCommit) {
        this.context = parts.context();
        this.host = parts.host();
        this.activatedAt = context.threads().nanoTime();
        this.events = known.size();
        this.row = row;
        this.recorded = new ArrayList<>(known.events());
        this.gate = gate;
        this.steps = steps;
        steps.wantNothing();
        this.runDeadline = ((Event.RunStarted) recorded.get(0)).deadline();
        this.epoch = epoch;
        this.inbox = new RunInbox(context, row, recorded);
        this.log = new RunLog(row, epoch, known, inbox.seen());
        this.cancels = new CancelWatch(context, inbox, steps, started().chain(row.runId()), recorded);
        Instant lastEvent = recorded.get(recorded.size() - 1).at();
        this.resumption = new Resumption(context, parts.progress(), row, lastEvent, handedOver, isBatched);
        this.activation = new Activation(parts, row, log, inbox, steps, gate);
        this.committer = new Committer(activation, isHeld);
        this.deferred = new DeferredResults(activation, committer, cancels, isBatched);
        this.pauses = new Pauses(activation, committer, runDeadline, lastEvent);
        this.turn = new StepTurn(activation, committer, deferred, pauses, cancels, this::afterStep);
        this.abandonment = abandonment;
        this.mayLeaveFinalCommit = mayLeaveFinalCommit;
        this.hasRun = RunProgress.mayHaveRun(row, recorded, handedOver);
        this.decidedVersions = decidedVersions;
    }

    /** Notes that the code has reached a pause or an end before, even if no event was recorded then. */
    void hasPaused() {
        hasRun = true;
    }

    /**
     * Records the beginning of the run, after the messages that have arrived, before the first line of the code runs.
     * Messages accepted after the run's deadline are excluded: they must not appear as the reason why the code ended.
     */
    void begin() {
        inbox.read();
        waitForQuiet(started().origin().debounce());
        while (runDeadline == null ? !inbox.isEmpty() : inbox.comesBefore(runDeadline)) {
            takeMessage();
        }
        log.add(new Event.RunBegan(stamp()));
        recorded.addAll(log.fresh());
    }

    /** Releases a debounced run until it has not been started again for the quiet period. */
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

    /** The callback for code that does not end; see {@link Session#abandon}. */
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
    public Map<String, Integer> decidedVersions() {
        return decidedVersions;
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

    DeferredResults deferred() {
        return deferred;
    }

    Committer committer() {
        return committer;
    }

    Pauses pauses() {
        return pauses;
    }

    /** Returns the end flags of this activation. */
    Activation activation() {
        return activation;
    }

    boolean isCommitting() {
        return log.isWriting();
    }

    /**
     * Commits the events so far because the code cannot continue on this node, unless they depend on a deadline. The
     * messages that the code took last stay in the inbox, because one of them may be the message that the code could
     * not read.
     */
    void keepResults() {
        log.giveMessagesBack();
        if (log.hasFresh() && !log.hasDeadline()) {
            activation.check();
            committer.commit();
        }
    }

    void messageArrived(InboxMessage message, String acceptedIn) {
        if (acceptedIn.equals(epoch)) {
            inbox.offer(message);
        }
        messagesArrived(message.position());
    }

    void messagesArrived(long counter) {
        inbox.arrived(counter);
        if (inbox.mayHaveUnread()) {
            gate.open();
            cancels.look();
        }
    }

    /** Makes the run look at its inbox, because a message may have arrived. */
    void look() {
        inbox.look();
        gate.open();
        cancels.look();
    }

    @Override
    public Event next(Blocked blocked) {
        replayed();
        add(blocked.commands());
        if (log.hasDeadline()
                && !(blocked.abandoned().isEmpty() && blocked.cancelled().isEmpty())) {
            committer.commit(); // interrupting a step cannot be undone
        }
        blocked.abandoned().forEach(steps::abandon);
        blocked.settled().forEach(steps::settle);
        steps.want(resumption.resume(blocked.steps()));
        blocked.cancelled().forEach(steps::cancel);
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
            } else if (!deferred.left().isZero()) {
                pauses.await(blocked.earliest(), deferred.left());
            } else {
                committer.commit(); // callers may wait for it: answers, children, queries
                // then look again: an input may have arrived during the commit
            }
        }
    }

    /** Reports the end of the replay, once, and not for a run that has just started. */
    private void replayed() {
        if (!isLive) {
            isLive = true;
            if (events > 1) {
                context.telemetry().replayed(row, events, activatedAt);
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
            close(continued, false); // the next run takes the remaining messages
            return null;
        }
        readMessages();
        if (inbox.isEmpty()) {
            unanswered.forEach(position -> log.add(Closing.unanswered(stamp(), position)));
            List<Outgoing> next = again == null ? List.of() : List.of(Closing.again(row, started(), again, newRunId()));
            if (close(Closing.of(ending, stamp(), next), true)) {
                return null;
            }
            log.removeLast(unanswered.size());
        }
        return takeMessage();
    }

    /** Adds the commands of the code. Commands that would make a large commit are committed in parts. */
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

    /** Closes the run. Returns false if the code must take messages first. */
    private boolean close(Closing closing, boolean allMessages) {
        Event event = add(closing.event());
        Long mail = allMessages || log.hasDeadline() ? inbox.seen() : null;
        Commit last = log.close(NextState.closed(closing.status()), mail, event, closing.outbox());
        if (mayLeaveFinalCommit && allMessages) {
            finalCommit = new FinalCommit(last, event);
            return true;
        }
        if (committer.commit(last, allMessages)) {
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

    /** The final commit of a run whose code has ended, and the event that closes the run. */
    record FinalCommit(Commit commit, Event event) {}

    /**
     * Returns the final commit that the caller must submit, so that no thread waits for it; null if the code has
     * closed the run itself.
     */
    @Nullable
    FinalCommit finalCommit() {
        return finalCommit;
    }

    /** Publishes the result, after the final commit was applied. */
    void finalCommitApplied(FinalCommit last, CommitOutcome.Committed committed) {
        committer.applied(last.commit(), committed);
        closed(last.event());
    }

    /** Sends the final commit again and waits for it. If there are messages for the code, the activation restarts. */
    void retryFinalCommit(FinalCommit last) {
        finalCommit = null;
        if (!committer.commit(last.commit(), true)) {
            throw committer.restart();
        }
        closed(last.event());
    }

    // ---- inputs

    /**
     * Returns the next input; null if there is none. Messages and deadlines are returned in the order in which the
     * store accepted the message and its clock reached the deadline.
     */
    private @Nullable Event input(@Nullable Deadline earliest) {
        readMessages();
        Deadline passed = earliest != null && hasReached(earliest.at()) ? earliest : null;
        Instant end =
                runDeadline != null && hasReached(runDeadline) && !isBefore(passed, runDeadline) ? runDeadline : null;
        Instant limit = end != null ? end : passed != null ? passed.at() : Instant.MAX;
        if (inbox.comesBefore(limit)) {
            return takeMessage();
        }
        cancels.clear();
        EndedAttempt step = steps.poll();
        if (step != null) {
            return take(step);
        }
        if (end != null) {
            return timeOut(end);
        }
        return passed == null ? null : deadlinePassed(passed);
    }

    /**
     * Closes the run once it has taken all messages. Messages accepted after the deadline cannot change how it ends.
     */
    private Event timeOut(Instant deadline) {
        if (inbox.isEmpty()) {
            pauses.timeOut(deadline); // returns only if a message has arrived meanwhile
        }
        return takeMessage();
    }

    /**
     * Returns true if the store's clock has reached {@code instant}, by this node's estimate or by the acceptance
     * time of a message.
     */
    private boolean hasReached(Instant instant) {
        return context.clock().hasReached(instant) || inbox.proves(instant);
    }

    /** Reads messages. Restarts the activation if one was accepted before a deadline that is in the log. */
    private void readMessages() {
        inbox.read();
        committer.checkDeadlineHolds();
    }

    private static boolean isBefore(@Nullable Deadline deadline, Instant instant) {
        return deadline != null && deadline.at().isBefore(instant);
    }

    /** Takes the end of a step. Returns null if other work must be done first. */
    private @Nullable Event take(EndedAttempt step) {
        Instant decided = step.decided();
        if (decided == null) {
            committer.took(step);
            return add(step.at(stamp()));
        }
        if (log.hasFresh()) {
            steps.giveBack(List.of(step));
            gate.open();
            committer.commit(); // so that a restart would drop nothing but this
            return null;
        }
        if (inbox.comesBefore(decided)) {
            steps.giveBack(List.of(step));
            return takeMessage();
        }
        committer.took(step);
        Instant now = stamp();
        Event event = step.at(now.isAfter(decided) ? now : decided);
        log.add(event, decided);
        return event;
    }

    /**
     * Records that a step hands out its token. It is committed before the body receives the token. Called by the
     * step's thread.
     */
    void handOut(Attempt attempt) {
        if (Thread.currentThread() != thread) {
            steps.offer(attempt);
            return;
        }
        deferred.takeBack();
        activation.check();
        inputs.add(add(attempt.handingOut().at(stamp())));
        committer.commit();
    }

    private @Nullable Event afterStep(EndedAttempt end) {
        activation.check();
        if (cancels.hasInterrupted()
                || inbox.mayHaveUnread()
                || !inputs.isEmpty()
                || end.end() instanceof StepEnd.HandedOut) {
            steps.giveBack(List.of(end)); // inputs that arrived meanwhile come first
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
            committer.commit(); // so that a restart would drop nothing but the deadline
            readMessages();
            if (inbox.comesBefore(deadline.at())) {
                return takeMessage();
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

    private Event takeMessage() {
        if (log.freshBytes() > MAX_FRESH_BYTES) {
            committer.commit();
        }
        InboxMessage item = inbox.take();
        cancels.taken(item);
        return log.add(item);
    }
}
