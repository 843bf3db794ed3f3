package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An event in the history of a run. Inputs come from outside the code: a step's result, a timer, mail. Commands are
 * requests of the code that must be remembered: a timer's deadline, the version of a change.
 *
 * <p>{@code call} numbers the calls that the code makes, over all its coroutines, from 0. {@code at} never decreases
 * within a history.
 *
 * <p>An event writes itself, and its static method {@code read} reads the same fields in the same order. {@link EventTag}
 * lists the stored numbers.
 */
public sealed interface Event extends Writable {

    Instant at();

    /** Writes the tag, the instant and the fields. */
    @Override
    void write(EventWriter out);

    /** Returns a short text without payloads, for errors, logs and the printed history. */
    String summary();

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
            return isOfSharedChild(ended.call(), ended.parentRunId())
                    ? new Message.ChildEnded(runId, ended.call(), ended.end())
                    : ended;
        }

        /**
         * Returns the start of a child, readdressed to this run if an earlier run requested the child in the history
         * that this run shares.
         */
        public Message.ChildStarted own(UUID runId, Message.ChildStarted begun) {
            return isOfSharedChild(begun.call(), begun.parentRunId())
                    ? new Message.ChildStarted(runId, begun.call(), begun.childRunId())
                    : begun;
        }

        private boolean isOfSharedChild(int call, UUID askedBy) {
            Origin.Reset reset = origin.reset();
            return reset != null && reset.children().contains(new Origin.Child(call, askedBy));
        }

        static RunStarted read(Instant at, EventReader in, Function<EventReader, Origin> origin) {
            return new RunStarted(
                    at,
                    in.text(),
                    in.payloads(),
                    in.optional(EventReader::instant),
                    in.optional(EventReader::instant),
                    in.memo(),
                    origin.apply(in));
        }

        @Override
        public void write(EventWriter out) {
            out.event(tag(), at);
            out.text(type);
            out.payloads(input);
            out.optional(startAt);
            out.optional(deadline);
            out.memo(memo);
            if (origin.hasUpdate()) {
                origin.writeWithUpdate(out);
                return;
            } else if (origin.queued() != null) {
                origin.writeInQueue(out, origin.queued());
                return;
            }
            origin.write(out);
            if (origin.reset() != null) {
                origin.reset().write(out);
            }
        }

        private EventTag tag() {
            if (origin.hasUpdate()) {
                return EventTag.RUN_STARTED_WITH_UPDATE;
            } else if (origin.queued() != null) {
                return EventTag.RUN_STARTED_IN_QUEUE;
            }
            return origin.reset() == null ? EventTag.RUN_STARTED : EventTag.RUN_STARTED_BY_RESET;
        }

        @Override
        public String summary() {
            Origin.Reset reset = origin.reset();
            return "run of '" + type + "' started"
                    + (reset == null ? "" : " with the first " + reset.events() + " events of run " + reset.from());
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
    record TakenOver(Instant at, String from, String by, long lease, Instant lostAt, Instant takenAt) implements Event {

        static TakenOver read(Instant at, EventReader in) {
            return new TakenOver(at, in.text(), in.text(), in.signed(), in.instant(), in.instant());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.TAKEN_OVER, at);
            out.text(from);
            out.text(by);
            out.signed(lease);
            out.instant(lostAt);
            out.instant(takenAt);
        }

        @Override
        public String summary() {
            return "taken over from " + from + " by " + by;
        }
    }

    /** The instant at which the first line of the code runs, if that is not immediately after the start. */
    record RunBegan(Instant at) implements Event {
        @Override
        public void write(EventWriter out) {
            out.event(EventTag.RUN_BEGAN, at);
        }

        @Override
        public String summary() {
            return "run began";
        }
    }

    record StepCompleted(Instant at, int call, String name, Instant startedAt, Payload result) implements Event {
        static StepCompleted read(Instant at, EventReader in) {
            return new StepCompleted(at, in.count(), in.text(), in.instant(), in.payload());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.STEP_COMPLETED, at);
            out.number(call);
            out.text(name);
            out.instant(startedAt);
            out.payload(result);
        }

        @Override
        public String summary() {
            return "step '" + name + "' completed";
        }
    }

    /**
     * A step that failed for good.
     *
     * @param attempts the number of attempts, including the last one
     */
    record StepFailed(Instant at, int call, String name, Instant startedAt, Failure failure, int attempts)
            implements Event {

        static StepFailed read(Instant at, EventReader in, boolean hasAttempts) {
            return new StepFailed(
                    at, in.count(), in.text(), in.instant(), Failure.read(in), hasAttempts ? in.count() : 1);
        }

        @Override
        public void write(EventWriter out) {
            out.event(attempts == 1 ? EventTag.STEP_FAILED : EventTag.STEP_FAILED_AFTER_RETRIES, at);
            out.number(call);
            out.text(name);
            out.instant(startedAt);
            failure.write(out);
            if (attempts != 1) {
                out.number(attempts);
            }
        }

        @Override
        public String summary() {
            return "step '" + name + "' failed with " + failure;
        }
    }

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
            String pause) implements Event {

        static StepPostponed read(Instant at, EventReader in) {
            return new StepPostponed(
                    at, in.count(), in.text(), Tried.read(in), in.instant(), in.optional(Failure::read), in.text());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.STEP_POSTPONED, at);
            out.number(call);
            out.text(name);
            tried.write(out);
            out.instant(nextAt);
            out.optional(failure);
            out.text(pause);
        }

        @Override
        public String summary() {
            return failure == null
                    ? "step '" + name + "' paused as '" + pause + "' until " + nextAt
                    : "attempt " + tried.attempt() + " of step '" + name + "' failed with " + failure + ", next at "
                            + nextAt;
        }
    }

    /** An attempt that has returned without a result. The holder of the token completes the step later. */
    record StepHandedOut(Instant at, int call, String name, Tried tried, UUID token) implements Event {
        static StepHandedOut read(Instant at, EventReader in) {
            return new StepHandedOut(at, in.count(), in.text(), Tried.read(in), in.uuid());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.STEP_HANDED_OUT, at);
            out.number(call);
            out.text(name);
            tried.write(out);
            out.uuid(token);
        }

        @Override
        public String summary() {
            return "step '" + name + "' handed out";
        }
    }

    record TimerScheduled(Instant at, int call, Instant deadline) implements Event {
        static TimerScheduled read(Instant at, EventReader in) {
            return new TimerScheduled(at, in.count(), in.instant());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.TIMER_SCHEDULED, at);
            out.number(call);
            out.instant(deadline);
        }

        @Override
        public String summary() {
            return "timer set to " + deadline;
        }
    }

    record TimerFired(Instant at, int call) implements Event {
        static TimerFired read(Instant at, EventReader in) {
            return new TimerFired(at, in.count());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.TIMER_FIRED, at);
            out.number(call);
        }

        @Override
        public String summary() {
            return "timer fired";
        }
    }

    /** The end of a wait for a condition by its deadline. */
    record WaitTimedOut(Instant at, int call) implements Event {
        static WaitTimedOut read(Instant at, EventReader in) {
            return new WaitTimedOut(at, in.count());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.WAIT_TIMED_OUT, at);
            out.number(call);
        }

        @Override
        public String summary() {
            return "wait timed out";
        }
    }

    record MailReceived(Instant at, List<InboxMessage> items) implements Event {
        static MailReceived read(Instant at, EventReader in) {
            return new MailReceived(at, in.mail());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.MAIL_RECEIVED, at);
            out.mail(items);
        }

        @Override
        public String summary() {
            return items.size() + " mail received";
        }
    }

    record VersionMarked(Instant at, String change, int version) implements Event {
        static VersionMarked read(Instant at, EventReader in) {
            return new VersionMarked(at, in.text(), (int) in.signed());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.VERSION_MARKED, at);
            out.text(change);
            out.signed(version);
        }

        @Override
        public String summary() {
            return "version " + version + " of change '" + change + "'";
        }
    }

    /**
     * A line that the code has written for readers of the history.
     *
     * @param name the name, such as {@code step.sleep.started}
     */
    record Marked(Instant at, String name, String text) implements Event {
        static Marked read(Instant at, EventReader in) {
            return new Marked(at, in.text(), in.text());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.MARKED, at);
            out.text(name);
            out.text(text);
        }

        @Override
        public String summary() {
            return text;
        }
    }

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
            @Nullable Failure failure) implements Event {

        static UpdateAnswered read(Instant at, EventReader in) {
            return new UpdateAnswered(at, in.number(), in.number() == 1, in.payload(), in.optional(Failure::read));
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.UPDATE_ANSWERED, at);
            out.number(position);
            out.number(rejected ? 1 : 0);
            out.payload(result);
            out.optional(failure);
        }

        @Override
        public String summary() {
            return failure == null ? "update answered" : "update refused with " + failure;
        }
    }

    /**
     * A request for a child run, which is started after the commit that contains this event.
     *
     * @param queued the child's place in a queue; null if it is not in a queue
     * @param start the settings for the start; null for the plain ones
     */
    record ChildRequested(
            Instant at,
            int call,
            String workflowId,
            UUID runId,
            String type,
            List<Payload> input,
            ParentClose parentClose,
            @Nullable Queued queued,
            @Nullable ChildStart start)
            implements Event {

        static ChildRequested read(Instant at, EventReader in) {
            return read(at, in, none -> null, none -> null);
        }

        static ChildRequested readInQueue(Instant at, EventReader in) {
            return read(at, in, EventReader::queued, none -> null);
        }

        static ChildRequested readWithSettings(Instant at, EventReader in) {
            return read(at, in, maybe -> maybe.optional(EventReader::queued), ChildStart::read);
        }

        private static ChildRequested read(
                Instant at,
                EventReader in,
                Function<EventReader, @Nullable Queued> queued,
                Function<EventReader, @Nullable ChildStart> start) {
            return new ChildRequested(
                    at,
                    in.count(),
                    in.text(),
                    in.uuid(),
                    in.text(),
                    in.payloads(),
                    ParentClose.of(in.count()),
                    queued.apply(in),
                    start.apply(in));
        }

        @Override
        public void write(EventWriter out) {
            out.event(tag(), at);
            out.number(call);
            out.text(workflowId);
            out.uuid(runId);
            out.text(type);
            out.payloads(input);
            out.number(parentClose.ordinal());
            if (start != null) {
                out.optional(queued);
                start.write(out);
            } else if (queued != null) {
                out.queued(queued);
            }
        }

        private EventTag tag() {
            if (start != null) {
                return EventTag.CHILD_REQUESTED_WITH_SETTINGS;
            }
            return queued == null ? EventTag.CHILD_REQUESTED : EventTag.CHILD_REQUESTED_IN_QUEUE;
        }

        @Override
        public String summary() {
            return "child '" + workflowId + "' of '" + type + "' requested";
        }
    }

    /** A message to another workflow id, which is delivered after the commit that contains this event. */
    record MailSent(Instant at, UUID id, String workflowId, Message message) implements Event {
        static MailSent read(Instant at, EventReader in) {
            return new MailSent(at, in.uuid(), in.text(), MessageCodec.decode(in.count(), in.bytes()));
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.MAIL_SENT, at);
            out.uuid(id);
            out.text(workflowId);
            out.number(message.kind());
            out.bytes(MessageCodec.encode(message));
        }

        @Override
        public String summary() {
            return "mail sent to '" + workflowId + "'";
        }
    }

    record RunCompleted(Instant at, Payload result) implements Event {
        static RunCompleted read(Instant at, EventReader in) {
            return new RunCompleted(at, in.payload());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.RUN_COMPLETED, at);
            out.payload(result);
        }

        @Override
        public String summary() {
            return "run completed";
        }
    }

    /**
     * The failure of the run.
     *
     * @param attempts the number of attempts, if the run is a single step; 0 for all others
     */
    record RunFailed(Instant at, Failure failure, int attempts) implements Event {
        public RunFailed(Instant at, Failure failure) {
            this(at, failure, 0);
        }

        static RunFailed read(Instant at, EventReader in, boolean hasAttempts) {
            return new RunFailed(at, Failure.read(in), hasAttempts ? in.count() : 0);
        }

        @Override
        public void write(EventWriter out) {
            out.event(attempts == 0 ? EventTag.RUN_FAILED : EventTag.RUN_FAILED_AFTER_ATTEMPTS, at);
            failure.write(out);
            if (attempts != 0) {
                out.number(attempts);
            }
        }

        @Override
        public String summary() {
            return "run failed with " + failure;
        }
    }

    record RunTerminated(Instant at, String reason) implements Event {
        static RunTerminated read(Instant at, EventReader in) {
            return new RunTerminated(at, in.text());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.RUN_TERMINATED, at);
            out.text(reason);
        }

        @Override
        public String summary() {
            return "run terminated: " + reason;
        }
    }

    record RunTimedOut(Instant at) implements Event {
        @Override
        public void write(EventWriter out) {
            out.event(EventTag.RUN_TIMED_OUT, at);
        }

        @Override
        public String summary() {
            return "run timed out";
        }
    }

    /** The end of a run that was cancelled and did not catch the cancellation. */
    record RunCancelled(Instant at, String reason) implements Event {
        static RunCancelled read(Instant at, EventReader in) {
            return new RunCancelled(at, in.text());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.RUN_CANCELLED, at);
            out.text(reason);
        }

        @Override
        public String summary() {
            return "run cancelled: " + reason;
        }
    }

    /** The end of a run that continues as a new run with its own history. */
    record RunContinued(Instant at, UUID nextRunId) implements Event {
        static RunContinued read(Instant at, EventReader in) {
            return new RunContinued(at, in.uuid());
        }

        @Override
        public void write(EventWriter out) {
            out.event(EventTag.RUN_CONTINUED, at);
            out.uuid(nextRunId);
        }

        @Override
        public String summary() {
            return "run continued as " + nextRunId;
        }
    }

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
                || this instanceof RunCancelled
                || this instanceof RunContinued;
    }

    /** Returns true if this event ended the run without involving its code. */
    default boolean isFromOutside() {
        return this instanceof RunTerminated || this instanceof RunTimedOut;
    }
}
