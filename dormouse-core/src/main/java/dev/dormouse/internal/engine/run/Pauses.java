package dev.dormouse.internal.engine.run;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
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
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a run stops executing without having come to its end: in memory for a while, or as a row. */
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
    private long mailLingeredAfter;

    /**
     * @param runDeadline when the run's time is up, null for never
     * @param lastEvent when the last thing happened that was recorded of the run before this activation
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
        this.mailLingeredAfter = activation.inbox().seen();
    }

    /**
     * When the run goes on although nothing comes in; null for never.
     *
     * @param grace how much later pauses of activities end
     */
    private @Nullable WakeTime wake(@Nullable Deadline earliest, Duration grace) {
        WakeTime timer = earliest == null ? null : new WakeTime(earliest.at(), WakeReason.TIMER);
        WakeTime timeout = runDeadline == null ? null : new WakeTime(runDeadline, WakeReason.TIMEOUT);
        return WakeTime.earliest(
                timeout, WakeTime.earliest(timer, activation.steps().wake(grace)));
    }

    /** Waits here until something comes in or is due, but no longer than this. */
    void await(@Nullable Deadline earliest, Duration atMost) {
        WakeTime wake = wake(earliest, Duration.ZERO);
        Duration untilWake = wake == null ? LONGEST_PASS : context.clock().until(wake.at());
        activation.gate().pass(activation.steps().untilTimeUp(untilWake.compareTo(atMost) < 0 ? untilWake : atMost));
    }

    void await(@Nullable Deadline earliest) {
        await(earliest, LONGEST_PASS);
    }

    /** Nothing executes, and nothing will until something comes in or is due. */
    void pause(@Nullable Deadline earliest) {
        WakeTime wake = wake(earliest, Duration.ZERO);
        if (wake != null && mayPark(wake) && table.tryPark()) {
            park(wake.at(), WakeReason.PARK);
        } else if (mayLinger(wake) && table.tryLinger()) {
            mailLingeredAfter = activation.inbox().seen();
            park(context.clock().latest().plus(context.settings().parkAtMost()), WakeReason.LINGER);
        } else if (wake != null && mayPrefer(wake)) {
            suspendForHere(wake.at(), wake(earliest, context.settings().parkGrace()));
        } else {
            suspend(wake);
        }
    }

    /** Whether this node is to go on with an activity that has paused. */
    private boolean mayPrefer(WakeTime wake) {
        return wake.reason() == WakeReason.PAUSE
                && !activation.isClosing()
                && !context.store().isExclusive()
                && Lanes.queueOf(row.lane()).isEmpty()
                && localPauses.hasRoom();
    }

    /** @param forOthers when nodes go on that it has not paused on */
    private void suspendForHere(Instant at, @Nullable WakeTime forOthers) {
        if (commitWaiting(forOthers)) {
            Commit alarm = log.commitNothing(NextState.waiting(new Alarm.At(at), WakeReason.PAUSE))
                    .withMail(activation.inbox().seen());
            localPauses.add(new LocalPauses.Entry(row.shard(), row.lane(), at, alarm));
            host.arm(row.lane(), at);
            throw new Evicted();
        }
    }

    /** Where mail has come, more of it is likely to: it finds the run in memory, once for each piece of mail. */
    private boolean mayLinger(@Nullable WakeTime wake) {
        return activation.inbox().seen() > mailLingeredAfter
                && (wake == null || wake.isOfCode() && !isBrief(wake.at()))
                && !context.settings().parkAtMost().isZero()
                && mayWaitInMemory();
    }

    /** A wait of a step is the run's alarm. */
    private boolean mayPark(WakeTime wake) {
        return wake.isOfCode() && isBrief(wake.at()) && mayWaitInMemory();
    }

    /** A run that waits gives up its room in a queue. */
    private boolean mayWaitInMemory() {
        return !activation.isClosing() && Lanes.queueOf(row.lane()).isEmpty();
    }

    private boolean isBrief(Instant wakeAt) {
        return context.clock().until(wakeAt).compareTo(context.settings().parkAtMost()) <= 0;
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

    /** Waits in memory under a lease of its own, that no renewal in flight can touch. */
    private void park(Instant wakeAt, WakeReason reason) {
        try {
            Instant takenOver = wakeAt.plus(context.settings().parkGrace());
            long lease = context.ids().lease();
            NextState parked = reason == WakeReason.LINGER
                    ? NextState.lingering(lease, takenOver)
                    : NextState.parked(lease, takenOver);
            if (!committer.commit(parked, true)) {
                return;
            }
            committer.renewFirst();
            while (!activation.isOver()
                    && !activation.isClosing()
                    && !activation.inbox().hasNews()
                    && !context.clock().hasReached(wakeAt)) {
                activation.gate().pass(context.clock().until(wakeAt));
            }
        } finally {
            table.unpark();
        }
    }

    /** Gives the run to whoever takes it. */
    void giveBack(Alarm alarm) {
        committer.commit(NextState.pending(alarm, WakeReason.HANDOVER), false);
        context.notifyNodes(row.shard(), row.lane(), context.clock().latest());
        throw new Evicted();
    }

    /**
     * Closes the run, whose time is up. Like any other end this takes effect only if no mail is left: mail of before the
     * deadline wins, and mail that was accepted after it is handled before the run closes.
     *
     * @return false when there is mail to be taken first; otherwise it throws {@link Evicted}
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
     * Returns the state of a run that cannot go on, or closes it if its time is up. While it has mail that its code has
     * not taken it stays stuck, whatever the time: its senders were told that it would be applied.
     */
    NextState stuck(String reason) {
        Instant end = runDeadline;
        boolean isOver = end != null && context.clock().hasReached(end);
        if (end != null && isOver) {
            closeUnlessMailIsLeft(end);
        }
        Duration delay = context.stuckDelay(lastEvent);
        if (end != null && !isOver && context.clock().until(end).compareTo(delay) < 0) {
            return NextState.stuck(new Alarm.At(end), reason);
        }
        String why = isOver
                ? reason + " Its time was up at " + end + "; it stays open for messages that it has accepted and not "
                        + "taken. Deploy code that can take them, or terminate it."
                : reason;
        return NextState.stuck(new Alarm.In(delay), why);
    }

    private void closeUnlessMailIsLeft(Instant deadline) {
        if (log.lease() == RunRow.NO_LEASE) {
            return; // it was given up before, and is not ours to change
        }
        committer.forget();
        Event timedOut = timedOut(deadline);
        Commit last = timeOut(timedOut);
        if (context.commit(row.shard(), last) instanceof CommitOutcome.Committed committed) {
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
                        + ". Raise the history limit, or let the workflow continue as new now and then.");
    }
}
