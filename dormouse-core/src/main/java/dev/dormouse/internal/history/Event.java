package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event in the history of a run. Inputs come from outside the code: a step's result, a timer, mail. Commands are
 * requests of the code that must be remembered: a timer's deadline, the version of a change.
 *
 * <p>{@code call} numbers the calls that the code makes, over all its coroutines, from 0. {@code at} never decreases
 * within a history.
 */
public sealed interface Event {

    Instant at();

    /** The start of the run: the only input that exists before any code runs. */
    record RunStarted(
            Instant at,
            String type,
            List<Payload> input,
            @Nullable Instant startAt,
            @Nullable Instant deadline,
            Map<String, String> memo,
            Origin origin)
            implements Event {

        /**
         * Returns the first run of the continue-as-new chain. A cancel request finds the last run of the chain by it.
         */
        public UUID chain(UUID runId) {
            UUID first = origin.chain();
            return first == null ? runId : first;
        }

        /**
         * Returns the run id that the code sees. Runs that were created by resets share the id of the first, so that
         * ids derived from it stay the same in the history that they share.
         */
        public UUID identity(UUID runId) {
            Origin.Reset reset = origin.reset();
            return reset == null ? runId : reset.identity();
        }

        /**
         * Returns the end of a child, readdressed to this run if an earlier run requested the child in the history that
         * this run shares.
         */
        public Message.ChildEnded own(UUID runId, Message.ChildEnded ended) {
            Origin.Reset reset = origin.reset();
            return reset != null && reset.children().contains(new Origin.Child(ended.call(), ended.parentRunId()))
                    ? new Message.ChildEnded(runId, ended.call(), ended.end())
                    : ended;
        }
    }

    /**
     * A takeover: another node continued the run, because its previous node died or was silent. It is for readers of
     * the history; the code does not see it. It is written with the next event and has the timestamp of the previous
     * one, so that it does not change the run's time.
     *
     * @param from the name of the node that held the run
     * @param by the name of the node that took it over
     * @param lease the lease of the takeover
     * @param lostAt when the lease, or the time of a wait in memory, ended
     * @param takenAt when the run was taken over
     */
    record TakenOver(Instant at, String from, String by, long lease, Instant lostAt, Instant takenAt)
            implements Event {}

    /** The instant at which the first line of the code runs, if that is not immediately after the start. */
    record RunBegan(Instant at) implements Event {}

    record StepCompleted(Instant at, int call, String name, Instant startedAt, Payload result) implements Event {}

    /**
     * A step that failed for good.
     *
     * @param attempts the number of attempts, including the last one
     */
    record StepFailed(Instant at, int call, String name, Instant startedAt, Failure failure, int attempts)
            implements Event {}

    /**
     * The end of an attempt after which another attempt follows.
     *
     * @param nextAt the earliest start of the next attempt
     * @param failure why the attempt failed; null if it paused
     * @param pause the name of the pause; empty after a failure
     */
    record StepPostponed(
            Instant at,
            int call,
            String name,
            Tried tried,
            Instant nextAt,
            @Nullable Failure failure,
            String pause) implements Event {}

    /** An attempt that has returned without a result. The holder of the token completes the step later. */
    record StepHandedOut(Instant at, int call, String name, Tried tried, UUID token) implements Event {}

    record TimerScheduled(Instant at, int call, Instant deadline) implements Event {}

    record TimerFired(Instant at, int call) implements Event {}

    /** The end of a wait for a condition by its deadline. */
    record WaitTimedOut(Instant at, int call) implements Event {}

    record MailReceived(Instant at, List<InboxMessage> items) implements Event {}

    record VersionMarked(Instant at, String change, int version) implements Event {}

    /**
     * A line that the code has written for readers of the history.
     *
     * @param name the name, such as {@code step.sleep.started}
     */
    record Marked(Instant at, String name, String text) implements Event {}

    /**
     * The answer to an update.
     *
     * @param position the position of the update in the inbox
     * @param rejected true if the validator refused the update, so that its handler did not run
     * @param failure why there is no result; null if there is one
     */
    record UpdateAnswered(
            Instant at,
            long position,
            boolean rejected,
            Payload result,
            @Nullable Failure failure) implements Event {}

    /**
     * A request for a child run, which is started after the commit that contains this event.
     *
     * @param queued the child's place in a queue; null if it is not in a queue
     */
    record ChildRequested(
            Instant at,
            int call,
            String workflowId,
            UUID runId,
            String type,
            List<Payload> input,
            ParentClose parentClose,
            @Nullable Queued queued)
            implements Event {}

    /** A message to another workflow id, which is delivered after the commit that contains this event. */
    record MailSent(Instant at, UUID id, String workflowId, Message message) implements Event {}

    record RunCompleted(Instant at, Payload result) implements Event {}

    /**
     * The failure of the run.
     *
     * @param attempts the number of attempts, if the run is a single step; 0 for all others
     */
    record RunFailed(Instant at, Failure failure, int attempts) implements Event {
        public RunFailed(Instant at, Failure failure) {
            this(at, failure, 0);
        }
    }

    record RunTerminated(Instant at, String reason) implements Event {}

    record RunTimedOut(Instant at) implements Event {}

    /** The end of a run that was cancelled and did not catch the cancellation. */
    record RunCanceled(Instant at, String reason) implements Event {}

    /** The end of a run that continues as a new run with its own history. */
    record RunContinued(Instant at, UUID nextRunId) implements Event {}

    /**
     * Returns the call number of the step whose attempt ended with this event; -1 if this is not the end of an attempt.
     */
    default int stepCall() {
        if (this instanceof StepCompleted e) {
            return e.call();
        } else if (this instanceof StepFailed e) {
            return e.call();
        }
        return this instanceof StepPostponed e ? e.call() : -1;
    }

    /** Returns true if the code requested the event, as opposed to an input from outside. */
    default boolean isCommand() {
        return this instanceof TimerScheduled
                || this instanceof VersionMarked
                || this instanceof Marked
                || this instanceof UpdateAnswered
                || this instanceof ChildRequested
                || this instanceof MailSent;
    }

    /** Returns true if the run ends with this event. */
    default boolean isClosing() {
        return this instanceof RunCompleted
                || this instanceof RunFailed
                || this instanceof RunTerminated
                || this instanceof RunTimedOut
                || this instanceof RunCanceled
                || this instanceof RunContinued;
    }

    /** Returns true if this event ended the run without involving its code. */
    default boolean isFromOutside() {
        return this instanceof RunTerminated || this instanceof RunTimedOut;
    }

    /** Returns a short text without payloads, for errors, logs and the printed history. */
    default String summary() {
        if (this instanceof StepCompleted e) {
            return "step '" + e.name() + "' completed";
        } else if (this instanceof StepFailed e) {
            return "step '" + e.name() + "' failed with " + e.failure();
        } else if (this instanceof StepPostponed e) {
            return e.failure() == null
                    ? "step '" + e.name() + "' paused as '" + e.pause() + "' until " + e.nextAt()
                    : "attempt " + e.tried().attempt() + " of step '" + e.name() + "' failed with " + e.failure()
                            + ", next at " + e.nextAt();
        } else if (this instanceof StepHandedOut e) {
            return "step '" + e.name() + "' handed out";
        } else if (this instanceof TimerScheduled e) {
            return "timer set to " + e.deadline();
        } else if (this instanceof TimerFired) {
            return "timer fired";
        } else if (this instanceof WaitTimedOut) {
            return "wait timed out";
        } else if (this instanceof MailReceived e) {
            return e.items().size() + " mail received";
        } else if (this instanceof VersionMarked e) {
            return "version " + e.version() + " of change '" + e.change() + "'";
        } else if (this instanceof Marked e) {
            return e.text();
        } else if (this instanceof UpdateAnswered e) {
            return e.failure() == null ? "update answered" : "update refused with " + e.failure();
        } else if (this instanceof ChildRequested e) {
            return "child '" + e.workflowId() + "' of '" + e.type() + "' requested";
        } else if (this instanceof MailSent e) {
            return "mail sent to '" + e.workflowId() + "'";
        } else if (this instanceof RunStarted e) {
            Origin.Reset reset = e.origin().reset();
            return "run of '" + e.type() + "' started"
                    + (reset == null ? "" : " with the first " + reset.events() + " events of run " + reset.from());
        } else if (this instanceof TakenOver e) {
            return "taken over from " + e.from() + " by " + e.by();
        } else if (this instanceof RunBegan) {
            return "run began";
        } else if (this instanceof RunFailed e) {
            return "run failed with " + e.failure();
        } else if (this instanceof RunTerminated e) {
            return "run terminated: " + e.reason();
        } else if (this instanceof RunTimedOut) {
            return "run timed out";
        } else if (this instanceof RunCanceled e) {
            return "run canceled: " + e.reason();
        } else if (this instanceof RunContinued e) {
            return "run continued as " + e.nextRunId();
        }
        return "run completed";
    }
}
