package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The content of an inbox or outbox item. It is either mail that a run consumes, or a command that the engine carries
 * out for the sender ({@link StartRun} and {@link TerminateRun}).
 */
public sealed interface Message {
    int SIGNAL = 1;
    int UPDATE = 2;
    int CANCEL = 3;
    int CHILD_ENDED = 4;
    int START_RUN = 5;
    int TERMINATE_RUN = 6;
    int STARTED_AGAIN = 7;
    int STEP_ENDED = 8;
    int START_QUEUED_RUN = 9;

    /** A signal to the run. */
    record Signal(String name, List<Payload> arguments) implements Message {}

    /** An update: a request to the run whose sender waits for an answer. */
    record Update(String name, List<Payload> arguments) implements Message {}

    /**
     * A request to the run to end by itself.
     *
     * @param runId the run to cancel, named by the first run of its continue-as-new chain; null for the current run of
     *     the workflow id
     */
    record Cancel(@Nullable UUID runId, String reason) implements Message {}

    /** The end of a child. A run that is not its parent ignores it. */
    record ChildEnded(UUID parentRunId, int call, Event end) implements Message {}

    /** A command to start a run: a child, or the successor of a run that continues as new. */
    record StartRun(
            UUID runId,
            String type,
            List<Payload> input,
            @Nullable Instant deadline,
            Map<String, String> memo,
            Origin origin)
            implements Message {}

    /** A command to close a run immediately. */
    record TerminateRun(UUID runId, String reason) implements Message {}

    /** A further start of the workflow, with this input, before its run began. */
    record StartedAgain(List<Payload> input) implements Message {}

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
            @Nullable Problem problem) implements Message {}

    /** Returns the number that stores keep next to the bytes. It never changes its meaning. */
    default int kind() {
        if (this instanceof Signal) {
            return SIGNAL;
        } else if (this instanceof Update) {
            return UPDATE;
        } else if (this instanceof Cancel) {
            return CANCEL;
        } else if (this instanceof ChildEnded) {
            return CHILD_ENDED;
        } else if (this instanceof StartRun start) {
            return start.origin().queued() == null ? START_RUN : START_QUEUED_RUN;
        } else if (this instanceof TerminateRun) {
            return TERMINATE_RUN;
        } else if (this instanceof StepEnded) {
            return STEP_ENDED;
        }
        return STARTED_AGAIN;
    }
}
