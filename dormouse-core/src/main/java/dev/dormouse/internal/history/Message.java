package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import dev.dormouse.store.run.Queued;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The content of an inbox or outbox item. It is either mail that a run consumes, or a command that the engine carries
 * out for the sender ({@link StartRun} and {@link TerminateRun}).
 *
 * <p>A message writes itself, and its static method {@code read} reads the same fields in the same order. {@link
 * MessageCodec} chooses the method by the kind.
 */
public sealed interface Message extends Writable {
    int SIGNAL = 1;
    int UPDATE = 2;
    int CANCEL = 3;
    int CHILD_ENDED = 4;
    int START_RUN = 5;
    int TERMINATE_RUN = 6;
    int STARTED_AGAIN = 7;
    int STEP_ENDED = 8;
    int START_QUEUED_RUN = 9;

    /** A request that was made in SQL, which is stored as text, not as a message. */
    int SQL_REQUEST = 10;

    int START_CHILD = 11;
    int CHILD_STARTED = 12;

    /** The last part of the key under which a parent learns that a child was not started. */
    String NOT_STARTED = " not started";

    /** Returns the number that stores keep next to the bytes. It never changes its meaning. */
    int kind();

    /** Writes the fields. */
    @Override
    void write(EventWriter out);

    /** A signal to the run. */
    record Signal(String name, List<Payload> arguments) implements Message {
        static Signal read(EventReader in) {
            return new Signal(in.text(), in.payloads());
        }

        @Override
        public int kind() {
            return SIGNAL;
        }

        @Override
        public void write(EventWriter out) {
            out.text(name);
            out.payloads(arguments);
        }
    }

    /** An update: a request to the run whose sender waits for an answer. */
    record Update(String name, List<Payload> arguments) implements Message {
        static Update read(EventReader in) {
            return new Update(in.text(), in.payloads());
        }

        @Override
        public int kind() {
            return UPDATE;
        }

        @Override
        public void write(EventWriter out) {
            out.text(name);
            out.payloads(arguments);
        }
    }

    /**
     * A request to the run to end by itself.
     *
     * @param runId the run to cancel, named by the first run of its continue-as-new chain; null for the current run of
     *     the workflow id
     */
    record Cancel(@Nullable UUID runId, String reason) implements Message {
        static Cancel read(EventReader in) {
            return new Cancel(in.optional(EventReader::uuid), in.text());
        }

        @Override
        public int kind() {
            return CANCEL;
        }

        @Override
        public void write(EventWriter out) {
            out.optional(runId);
            out.text(reason);
        }
    }

    /** The end of a child. A run that is not its parent ignores it. */
    record ChildEnded(UUID parentRunId, int call, Event end) implements Message {
        static ChildEnded read(EventReader in) {
            return new ChildEnded(
                    in.uuid(), in.count(), EventCodec.decode(in.bytes()).get(0));
        }

        @Override
        public int kind() {
            return CHILD_ENDED;
        }

        @Override
        public void write(EventWriter out) {
            out.uuid(parentRunId);
            out.number(call);
            out.bytes(EventCodec.encode(List.of(end)));
        }
    }

    /**
     * The start of a child. A run that is not its parent ignores it.
     *
     * @param childRunId the run that is the child, which may be an existing one
     */
    record ChildStarted(UUID parentRunId, int call, UUID childRunId) implements Message {
        static ChildStarted read(EventReader in) {
            return new ChildStarted(in.uuid(), in.count(), in.uuid());
        }

        @Override
        public int kind() {
            return CHILD_STARTED;
        }

        @Override
        public void write(EventWriter out) {
            out.uuid(parentRunId);
            out.number(call);
            out.uuid(childRunId);
        }
    }

    /**
     * A command to start a run: a child, or the successor of a run that continues as new.
     *
     * @param child the settings for the start of a child; null for the plain ones, and for all other runs
     */
    record StartRun(
            UUID runId,
            String type,
            List<Payload> input,
            @Nullable Instant deadline,
            Map<String, String> memo,
            Origin origin,
            @Nullable ChildStart child)
            implements Message {

        /** Creates a command without settings for the start of a child. */
        public StartRun(
                UUID runId,
                String type,
                List<Payload> input,
                @Nullable Instant deadline,
                Map<String, String> memo,
                Origin origin) {
            this(runId, type, input, deadline, memo, origin, null);
        }

        static StartRun read(EventReader in, Function<EventReader, Origin> origin) {
            return new StartRun(
                    in.uuid(),
                    in.text(),
                    in.payloads(),
                    in.optional(EventReader::instant),
                    in.memo(),
                    origin.apply(in));
        }

        static StartRun readOfChild(EventReader in) {
            StartRun plain = read(in, Origin::read);
            Queued queued = in.optional(EventReader::queued);
            return new StartRun(
                    plain.runId,
                    plain.type,
                    plain.input,
                    plain.deadline,
                    plain.memo,
                    plain.origin.with(queued),
                    ChildStart.read(in));
        }

        @Override
        public int kind() {
            if (child != null) {
                return START_CHILD;
            }
            return origin.queued() == null ? START_RUN : START_QUEUED_RUN;
        }

        @Override
        public void write(EventWriter out) {
            out.uuid(runId);
            out.text(type);
            out.payloads(input);
            out.optional(deadline);
            out.memo(memo);
            if (child != null) {
                origin.write(out);
                out.optional(origin.queued());
                child.write(out);
            } else if (origin.queued() == null) {
                origin.write(out);
            } else {
                origin.writeInQueue(out, origin.queued());
            }
        }
    }

    /** A command to close a run immediately. */
    record TerminateRun(UUID runId, String reason) implements Message {
        static TerminateRun read(EventReader in) {
            return new TerminateRun(in.uuid(), in.text());
        }

        @Override
        public int kind() {
            return TERMINATE_RUN;
        }

        @Override
        public void write(EventWriter out) {
            out.uuid(runId);
            out.text(reason);
        }
    }

    /** A further start of the workflow, with this input, before its run began. */
    record StartedAgain(List<Payload> input) implements Message {
        static StartedAgain read(EventReader in) {
            return new StartedAgain(in.payloads());
        }

        @Override
        public int kind() {
            return STARTED_AGAIN;
        }

        @Override
        public void write(EventWriter out) {
            out.payloads(input);
        }
    }

    /**
     * The end of a step that was handed out.
     *
     * @param problem why there is no result; null if there is one
     */
    record StepEnded(
            UUID runId,
            int call,
            UUID token,
            Payload result,
            @Nullable Problem problem) implements Message {

        static StepEnded read(EventReader in) {
            return new StepEnded(in.uuid(), in.count(), in.uuid(), in.payload(), in.optional(Problem::read));
        }

        @Override
        public int kind() {
            return STEP_ENDED;
        }

        @Override
        public void write(EventWriter out) {
            out.uuid(runId);
            out.number(call);
            out.uuid(token);
            out.payload(result);
            out.optional(problem);
        }
    }
}
