package dev.dormouse.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.Mail;
import dev.dormouse.store.Queued;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a run. Inputs come from outside the code (a step's result, a timer, mail); commands are what the
 * code asked for where that must be remembered (a timer's deadline, the version of a change).
 *
 * <p>{@code call} numbers the calls that the code makes, over all its coroutines, from 0; {@code at} never decreases
 * within a history.
 */
public sealed interface Event {

    Instant at();

    /** The one input that exists before any code runs. */
    record RunStarted(
            Instant at,
            String type,
            List<Payload> input,
            @Nullable Instant startAt,
            @Nullable Instant deadline,
            Map<String, String> memo,
            Origin origin)
            implements Event {

        /** The first of the runs that continued as each other: by it a cancel request finds the last. */
        public UUID chain(UUID runId) {
            UUID first = origin.chain();
            return first == null ? runId : first;
        }

        /**
         * The run that this one is to its code: of those that were reset as each other the first, so that what is made of
         * its id is the same in the history that they share.
         */
        public UUID identity(UUID runId) {
            Origin.Reset reset = origin.reset();
            return reset == null ? runId : reset.identity();
        }

        /** The end of a child that an earlier run has asked for, in the history that this one shares, as that of its own. */
        public Message.ChildEnded own(UUID runId, Message.ChildEnded ended) {
            Origin.Reset reset = origin.reset();
            return reset != null && reset.children().contains(new Origin.Child(ended.call(), ended.parentRunId()))
                    ? new Message.ChildEnded(runId, ended.call(), ended.end())
                    : ended;
        }
    }

    /**
     * Another node went on with the run, because the one before had died or fallen silent. For whoever reads the history: the
     * code does not learn of it. It is written with the first event that follows, and stamped as the one before, so that it
     * changes nothing for what has happened meanwhile.
     *
     * @param from what people call the node that held it
     * @param by and the node that took it over
     * @param lease under which it did
     * @param lostAt when the lease, or the time of a wait in memory, was over
     * @param takenAt when it was taken over
     */
    record TakenOver(Instant at, String from, String by, long lease, Instant lostAt, Instant takenAt)
            implements Event {}

    /** The first line of the code runs after this event, where that is not at once after the start. */
    record RunBegan(Instant at) implements Event {}

    record StepCompleted(Instant at, int call, String name, Instant startedAt, Payload result) implements Event {}

    /** @param attempts how many there were, the last one included */
    record StepFailed(Instant at, int call, String name, Instant startedAt, Failure failure, int attempts)
            implements Event {}

    /**
     * An attempt of a step has come to an end, and there is another to come.
     *
     * @param nextAt not before this
     * @param failure why; null when it has paused
     * @param pause the name of the pause, empty after a failure
     */
    record StepPostponed(
            Instant at,
            int call,
            String name,
            Tried tried,
            Instant nextAt,
            @Nullable Failure failure,
            String pause) implements Event {}

    /** An attempt of a step has returned without a result, which comes from whoever has the token. */
    record StepHandedOut(Instant at, int call, String name, Tried tried, UUID token) implements Event {}

    record TimerScheduled(Instant at, int call, Instant deadline) implements Event {}

    record TimerFired(Instant at, int call) implements Event {}

    /** A wait for a condition whose time was up first. */
    record WaitTimedOut(Instant at, int call) implements Event {}

    record MailReceived(Instant at, List<Mail> items) implements Event {}

    record VersionMarked(Instant at, String change, int version) implements Event {}

    /**
     * A line that the code has written for whoever reads the history.
     *
     * @param name such as {@code step.sleep.started}
     */
    record Marked(Instant at, String name, String text) implements Event {}

    /**
     * What an update came to.
     *
     * @param position the update's in the inbox
     * @param rejected whether its validator refused it, so that its handler did not run
     * @param failure why there is no result; null when there is one
     */
    record UpdateAnswered(
            Instant at,
            long position,
            boolean rejected,
            Payload result,
            @Nullable Failure failure) implements Event {}

    /**
     * A child was asked for: it is started after the commit that holds this.
     *
     * @param queued its place in a queue; null where it is in none
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

    /** The run has something delivered to another workflow id, after the commit that holds this. */
    record MailSent(Instant at, UUID id, String workflowId, Message message) implements Event {}

    record RunCompleted(Instant at, Payload result) implements Event {}

    /** @param attempts how often it was tried, where the run is a single step; 0 for all others */
    record RunFailed(Instant at, Failure failure, int attempts) implements Event {
        public RunFailed(Instant at, Failure failure) {
            this(at, failure, 0);
        }
    }

    record RunTerminated(Instant at, String reason) implements Event {}

    record RunTimedOut(Instant at) implements Event {}

    /** The run was cancelled and its code let itself be ended. */
    record RunCanceled(Instant at, String reason) implements Event {}

    /** The workflow goes on as a new run with a history of its own. */
    record RunContinued(Instant at, UUID nextRunId) implements Event {}

    /** The call of the step of which an attempt has come to an end by this; -1 where none has. */
    default int stepCall() {
        if (this instanceof StepCompleted e) {
            return e.call();
        } else if (this instanceof StepFailed e) {
            return e.call();
        }
        return this instanceof StepPostponed e ? e.call() : -1;
    }

    /** Whether the code asked for it, as opposed to getting it from outside. */
    default boolean isCommand() {
        return this instanceof TimerScheduled
                || this instanceof VersionMarked
                || this instanceof Marked
                || this instanceof UpdateAnswered
                || this instanceof ChildRequested
                || this instanceof MailSent;
    }

    /** Whether the run ends with it. */
    default boolean isClosing() {
        return this instanceof RunCompleted
                || this instanceof RunFailed
                || this instanceof RunTerminated
                || this instanceof RunTimedOut
                || this instanceof RunCanceled
                || this instanceof RunContinued;
    }

    /** Whether the run was ended by it without its code being asked. */
    default boolean isFromOutside() {
        return this instanceof RunTerminated || this instanceof RunTimedOut;
    }

    /** The event in a few words, without payloads: for errors, logs and the printed history. */
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
