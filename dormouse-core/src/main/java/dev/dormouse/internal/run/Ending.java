package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a run's code has come to its end. */
public sealed interface Ending {

    record Completed(Payload result) implements Ending {}

    /**
     * @param attempts how often it was tried, where the run is a single step; 0 for all others
     * @param problem the exception itself, for the log; null where only its text is known
     */
    record Failed(Failure failure, int attempts, @Nullable Throwable problem) implements Ending {
        @Override
        public String toString() {
            return "Failed[" + failure + "]";
        }
    }

    /** It was cancelled and has let itself be ended. */
    record Canceled(String reason) implements Ending {}

    /**
     * It goes on as a new run with this input.
     *
     * @param unread what it has received and nobody has read
     */
    record Continued(List<Payload> input, List<InboxMessage> unread) implements Ending {}

    /** Its time was up before its code came to an end. */
    record TimedOut() implements Ending {}

    /** Whether a run that closed with this event has come to this end, or was not asked. */
    default boolean isThatOf(Event closing) {
        return closing.isFromOutside()
                || (this instanceof Completed && closing instanceof Event.RunCompleted)
                || (this instanceof Failed && closing instanceof Event.RunFailed)
                || (this instanceof Canceled && closing instanceof Event.RunCanceled)
                || (this instanceof Continued && closing instanceof Event.RunContinued);
    }

    /** The closing event, where it needs nothing that only the engine knows. */
    default Event at(Instant at) {
        if (this instanceof Completed end) {
            return new Event.RunCompleted(at, end.result());
        } else if (this instanceof Failed end) {
            return new Event.RunFailed(at, end.failure(), end.attempts());
        } else if (this instanceof Canceled end) {
            return new Event.RunCanceled(at, end.reason());
        } else if (this instanceof TimedOut) {
            return new Event.RunTimedOut(at);
        }
        throw new IllegalStateException("Expected an ending without a next run, but got " + this + ".");
    }
}
