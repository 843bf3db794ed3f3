package dev.dormouse.internal.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The end of a run's code. */
public sealed interface Ending {

    record Completed(Payload result) implements Ending {}

    /**
     * The code has failed.
     *
     * @param attempts the number of attempts if the run is a single step; 0 for all others
     * @param problem the exception for log lines; null if only its text is known
     */
    record Failed(Failure failure, int attempts, @Nullable Throwable problem) implements Ending {
        @Override
        public String toString() {
            return "Failed[" + failure + "]";
        }
    }

    /** The code has ended because of a cancel request. */
    record Cancelled(String reason) implements Ending {}

    /**
     * The run continues as a new run with this input.
     *
     * @param type the workflow type of the new run; null for that of this run
     * @param unread messages that the run has received and no handler has read
     */
    record Continued(@Nullable String type, List<Payload> input, List<InboxMessage> unread) implements Ending {}

    /** The execution timeout expired before the code ended. */
    record TimedOut() implements Ending {}

    /** Returns true if {@code closing} records this end, or if the run was closed from outside. */
    default boolean isThatOf(Event closing) {
        return closing.isFromOutside()
                || (this instanceof Completed && closing instanceof Event.RunCompleted)
                || (this instanceof Failed && closing instanceof Event.RunFailed)
                || (this instanceof Cancelled && closing instanceof Event.RunCancelled)
                || (this instanceof Continued && closing instanceof Event.RunContinued);
    }

    /** Returns the closing event of an end that does not start a next run. */
    default Event at(Instant at) {
        if (this instanceof Completed end) {
            return new Event.RunCompleted(at, end.result());
        } else if (this instanceof Failed end) {
            return new Event.RunFailed(at, end.failure(), end.attempts());
        } else if (this instanceof Cancelled end) {
            return new Event.RunCancelled(at, end.reason());
        } else if (this instanceof TimedOut) {
            return new Event.RunTimedOut(at);
        }
        throw new IllegalStateException("Expected an ending without a next run, but got " + this + ".");
    }
}
