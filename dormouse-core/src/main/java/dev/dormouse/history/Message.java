package dev.dormouse.history;

import dev.dormouse.codec.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is in an item of an inbox or outbox: mail that a run consumes, or ({@link StartRun} and {@link TerminateRun})
 * errands that the engine runs for the sender.
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

    /** Somebody tells the run something. */
    record Signal(String name, List<Payload> arguments) implements Message {}

    /** Somebody asks the run for something, and waits for an answer. */
    record Update(String name, List<Payload> arguments) implements Message {}

    /**
     * Somebody wants the run to come to an end by itself.
     *
     * @param runId the run that is meant, by the first of those that continued as it; null for whichever the workflow id
     *     has
     */
    record Cancel(@Nullable UUID runId, String reason) implements Message {}

    /** A child has ended; means nothing to a run other than its parent. */
    record ChildEnded(UUID parentRunId, int call, Event end) implements Message {}

    /** A run is to be started: a child, or the one that a run continues as. */
    record StartRun(
            UUID runId,
            String type,
            List<Payload> input,
            @Nullable Instant deadline,
            Map<String, String> memo,
            Origin origin)
            implements Message {}

    /** A run is to be closed at once. */
    record TerminateRun(UUID runId, String reason) implements Message {}

    /** The workflow was started again, with this input, before its run began. */
    record StartedAgain(List<Payload> input) implements Message {}

    /**
     * A step that was handed out has come to an end.
     *
     * @param failure why there is no result; null when there is one
     */
    record StepEnded(
            UUID runId,
            int call,
            UUID token,
            Payload result,
            @Nullable Failure failure) implements Message {}

    /** The number that stores keep beside the bytes. It never changes its meaning. */
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
