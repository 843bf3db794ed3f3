package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.Deadline;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways in which a run stops executing without closing: in memory for a short wait, or as a row in the store.
 *
 * <p><b>Parked.</b> A run that waits for at most {@code maxParkTime} stays in memory with its thread and code. Parking
 * saves a claim, a read of the history and a replay. Its row is {@code PARKED} under a new lease id that is never
 * renewed, with an alarm {@code parkGrace} after the deadline. If this node dies, that alarm lets any other node take
 * the run over.
 *
 * <p><b>Lingering.</b> A run that has just received messages stays in memory for up to {@code maxParkTime} before a longer
 * wait, because more messages are likely. It stays {@code RUNNING} meanwhile: the messages that it has taken are appended
 * to the history, and its row does not change. A message that arrives then is cheap, too, because it does not move the alarm.
 *
 * <p><b>Waiting.</b> Any other wait is committed as {@code WAITING}, without a lease, with the earliest deadline as its
 * alarm. Then {@link Evicted} unwinds the code and the run leaves memory. Its thread ends, whereas a parked run keeps
 * its thread, which blocks at the gate. From then on the run is only a row, until its alarm is due or a message sets
 * the alarm to now. Any node may claim it then.
 *
 * <p><b>Races.</b> The commit of a pause is refused if the inbox has messages that the run has not read. So no
 * message is missed between the last read and the pause. In that case the methods return and the code takes the
 * messages.
 *
 * <p>Confined to the run's thread.
 */
final class Pauses {
    private static final Logger LOG = LoggerFactory.getLogger(Pauses.class);
    private static final Duration LONGEST_PASS = Duration.ofDays(1);

    private final Activation activation;
    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final LocalPauses localPauses;
    private final RunRow row;
    private final RunLog log;
    private final Committer committer;
    private final @Nullable Instant runDeadline;
    private final Instant lastEvent;
    private long lingeredAfter;

    /**
     * @param runDeadline the execution deadline of the run; null for none
     * @param lastEvent the time of the last event that was recorded before this activation
     */
    Pauses(Activation activation, Committer committer, @Nullable Instant runDeadline, Instant lastEvent) {
        this.activation = activation;
        this.context = activation.parts().context();
        this.host = activation.parts().host();
        this.table = activation.parts().table();
        this.localPauses = activation.parts().localPauses();
        this.row = activation.row();
        this.log = activation.log();
        this.committer = committer;
        this.runDeadline = runDeadline;
        this.lastEvent = lastEvent;
        this.lingeredAfter = activation.inbox().seen();
    }

    /**
     * Returns when the run must resume even if no input arrives; null for never.
     *
     * @param grace added to the end of pauses of activities
     */
    private @Nullable WakeTime wake(@Nullable Deadline earliest, Duration grace) {
        WakeTime timer = earliest == null ? null : new WakeTime(earliest.at(), WakeReason.TIMER);
        WakeTime timeout = runDeadline == null ? null : new WakeTime(runDeadline, WakeReason.TIMEOUT);
        return WakeTime.earliest(
                timeout, WakeTime.earliest(timer, activation.steps().wake(grace)));
    }

    /** Waits on this thread until an input arrives or a deadline is due, but for at most {@code atMost}. */
    void await(@Nullable Deadline earliest, Duration atMost) {
        WakeTime wake = wake(earliest, Duration.ZERO);
        Duration untilWake = wake == null ? LONGEST_PASS : context.clock().until(wake.at());
        activation.gate().pass(activation.steps().untilTimeUp(untilWake.compareTo(atMost) < 0 ? untilWake : atMost));
    }

    void await(@Nullable Deadline earliest) {
        await(earliest, LONGEST_PASS);
    }

    /**
     * Pauses the run: no step executes, and none will until an input arrives or a deadline is due.
     *
     * @throws Evicted if the run has left memory; otherwise it returns when the run must look for inputs
     */
    void pause(@Nullable Deadline earliest) {
        WakeTime wake = wake(earliest, Duration.ZERO);
        if (wake != null && mayPark(wake) && table.tryPark()) {
            park(wake.at());
        } else if (mayLinger(wake) && table.tryLinger()) {
            linger();
        } else if (wake != null && mayPreferThisNode(wake)) {
            suspendPreferringThisNode(
                    wake.at(), wake(earliest, context.settings().parkGrace()));
        } else {
            suspend(wake);
        }
    }

    /** Returns true if this node should be preferred to resume a paused activity; see {@link LocalPauses}. */
    private boolean mayPreferThisNode(WakeTime wake) {
        return wake.reason() == WakeReason.PAUSE
                && !activation.isClosing()
                && !context.store().isExclusive()
                && Lanes.queueOf(row.lane()).isEmpty()
                && localPauses.hasRoom();
    }

    /** @param forOthers when other nodes may resume the run */
    private void suspendPreferringThisNode(Instant at, @Nullable WakeTime forOthers) {
        if (commitWaiting(forOthers)) {
            Commit alarm = log.commitNothing(NextState.waiting(new Alarm.At(at), WakeReason.PAUSE))
                    .withMail(activation.inbox().seen());
            localPauses.add(new LocalPauses.Entry(row.shard(), row.lane(), at, alarm));
            host.arm(row.lane(), at);
            throw new Evicted();
        }
    }

    /**
     * Returns true if the run should stay in memory because it received messages and more are likely. Applies once
     * per message.
     */
    private boolean mayLinger(@Nullable WakeTime wake) {
        return activation.inbox().seen() > lingeredAfter
                && (wake == null || wake.isOfCode() && !isBrief(wake.at()))
                && !context.settings().maxParkTime().isZero()
                && mayWaitInMemory();
    }

    /**
     * Returns true if the wait is short and the code waits, not a step. A run that waits for the next attempt of a step
     * is never parked.
     */
    private boolean mayPark(WakeTime wake) {
        return wake.isOfCode() && isBrief(wake.at()) && mayWaitInMemory();
    }

    /** Returns true if the run may wait in memory. A queued run may not: it gives up its slot in the queue. */
    private boolean mayWaitInMemory() {
        return !activation.isClosing() && Lanes.queueOf(row.lane()).isEmpty();
    }

    private boolean isBrief(Instant wakeAt) {
        return context.clock().until(wakeAt).compareTo(context.settings().maxParkTime()) <= 0;
    }

    private void suspend(@Nullable WakeTime wake) {
        if (commitWaiting(wake)) {
            if (wake != null && activation.isClosing()) {
                context.notifyNodes(row.shard(), row.lane(), wake.at());
            } else if (wake != null) {
                host.arm(row.lane(), wake.at());
            }
            throw new Evicted();
        }
    }

    private boolean commitWaiting(@Nullable WakeTime wake) {
        WakeReason reason = wake == null ? WakeReason.TIMER : wake.reason();
        Alarm alarm = wake == null ? Alarm.NONE : new Alarm.At(wake.at());
        return committer.commit(NextState.waiting(alarm, reason), true);
    }

    /**
     * Parks the run until an input arrives or {@code wakeAt}. It gets a new lease id, which no renewal in flight can
     * extend.
     */
    private void park(Instant wakeAt) {
        try {
            Instant takenOver = wakeAt.plus(context.settings().parkGrace());
            NextState parked = NextState.parked(context.ids().lease(), takenOver);
            if (committer.commit(parked, true)) {
                committer.renewFirst();
                stay(wakeAt);
            }
        } finally {
            table.unpark();
        }
    }

    /** Keeps the run in memory, executing under its lease, until an input arrives or {@code maxParkTime} has passed. */
    private void linger() {
        lingeredAfter = activation.inbox().seen();
        try {
            if (log.hasFresh()) {
                committer.commit();
            }
            stay(context.clock().latest().plus(context.settings().maxParkTime()));
        } finally {
            table.unpark();
        }
    }

    private void stay(Instant until) {
        while (!activation.isOver()
                && !activation.isClosing()
                && !activation.inbox().mayHaveUnread()
                && !context.clock().hasReached(until)) {
            activation.gate().pass(context.clock().until(until));
        }
    }

    /** Releases the run so that any node can claim it when {@code alarm} is due. Always throws {@link Evicted}. */
    void release(Alarm alarm) {
        committer.commit(NextState.pending(alarm, WakeReason.HANDOVER), false);
        context.notifyNodes(row.shard(), row.lane(), context.clock().latest());
        throw new Evicted();
    }

    /**
     * Closes the run because its execution timeout has expired. Like any other end this takes effect only if no
     * messages are left. Messages from before the deadline precede it, and messages that were accepted after it are
     * handled before the run closes.
     *
     * @return false if the code must take messages first; otherwise it throws {@link Evicted}
     */
    boolean timeOut(Instant deadline) {
        Instant before = log.notBefore();
        Event timedOut = timedOut(deadline);
        committer.fired(WakeReason.TIMEOUT, deadline, timedOut.at());
        if (committer.commit(timeOut(timedOut), true)) {
            throw ended(timedOut);
        }
        committer.notFired();
        log.removeLast(before);
        return false;
    }

    private Event timedOut(Instant deadline) {
        Event timedOut = new Event.RunTimedOut(log.stamp(context.clock().latest()));
        log.add(timedOut, deadline);
        return timedOut;
    }

    private Commit timeOut(Event timedOut) {
        return log.close(NextState.closed(RunStatus.TIMED_OUT), log.consumed(), timedOut, List.of());
    }

    private Evicted ended(Event timedOut) {
        activation.steps().interrupt();
        host.closed(row.runId(), timedOut);
        return new Evicted();
    }

    /** Makes the run stuck and throws {@link Evicted} if its history has reached the limit. */
    void checkLength() {
        int limit = context.settings().historyLimit();
        if (log.size() >= limit) {
            if (log.hasFresh()) {
                committer.commit();
            }
            String reason = tooLong(limit).getMessage();
            committer.commit(stuck(reason), false);
            LOG.warn("Run {} of workflow id '{}' is stuck: {}", row.runId(), row.workflowId(), reason);
            throw new Evicted();
        }
    }

    /**
     * Returns the state of a run that cannot resume, or closes the run if its execution timeout has expired. While
     * the run has messages that its code has not taken, it stays stuck beyond its timeout: the store accepted them,
     * so they must be applied.
     */
    NextState stuck(String reason) {
        Instant end = runDeadline;
        boolean isOver = end != null && context.clock().hasReached(end);
        if (end != null && isOver) {
            closeUnlessMessagesAreLeft(end);
        }
        Duration delay = context.stuckDelay(lastEvent);
        if (end != null && !isOver && context.clock().until(end).compareTo(delay) < 0) {
            return NextState.stuck(new Alarm.At(end), reason);
        }
        String why = isOver
                ? reason + " Its execution timeout expired at " + end
                        + "; it stays open for messages that it has accepted and "
                        + "not taken. Deploy code that can take them, or terminate it."
                : reason;
        return NextState.stuck(new Alarm.In(delay), why);
    }

    private void closeUnlessMessagesAreLeft(Instant deadline) {
        if (log.lease() == RunRow.NO_LEASE) {
            return; // the run was released before and may belong to another node
        }
        committer.forget();
        Event timedOut = timedOut(deadline);
        Commit last = timeOut(timedOut);
        if (committer.commitOnce(last) instanceof CommitOutcome.Committed committed) {
            committer.fired(WakeReason.TIMEOUT, deadline, timedOut.at());
            committer.applied(last, committed);
            throw ended(timedOut);
        }
        committer.forget();
    }

    private DormouseException tooLong(int limit) {
        return new DormouseException(
                ErrorCode.HISTORY_TOO_LONG,
                "Expected fewer than " + limit + " events in the history of run " + row.runId() + " (workflow id '"
                        + row.workflowId() + "'), but it has " + log.size()
                        + ". Raise the history limit, or let the workflow continue as new periodically.");
    }
}
