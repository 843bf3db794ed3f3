package dev.dormouse.internal.engine.run;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The event that closes a run, its final status, and the outbox items of the final commit. */
record Closing(Event event, RunStatus status, List<Outgoing> outbox) {

    static Closing of(Ending ending, Instant at, List<Outgoing> outbox) {
        Event event = ending.at(at);
        return new Closing(event, status(event), outbox);
    }

    private static RunStatus status(Event closing) {
        if (closing instanceof Event.RunCompleted) {
            return RunStatus.COMPLETED;
        } else if (closing instanceof Event.RunCancelled) {
            return RunStatus.CANCELLED;
        }
        return closing instanceof Event.RunTimedOut ? RunStatus.TIMED_OUT : RunStatus.FAILED;
    }

    /**
     * Returns the closing of a run that continues as new. The next run inherits the deadline, memo and parent of this
     * one.
     */
    static Closing continued(RunRow run, Event.RunStarted started, Ending.Continued ending, Instant at, UUID next) {
        Origin origin = new Origin(
                started.origin().parent(),
                run.runId(),
                started.chain(run.runId()),
                started.origin().debounce(),
                ending.unread(),
                null,
                started.origin().queued());
        String type = ending.type() == null ? started.type() : ending.type();
        Message start = new Message.StartRun(next, type, ending.input(), started.deadline(), started.memo(), origin);
        return new Closing(
                new Event.RunContinued(at, next),
                RunStatus.CONTINUED,
                List.of(RunLog.outgoing(next, run.workflowId(), start)));
    }

    /** Returns the outbox item that starts a run for debounced starts which arrived too late for this run. */
    static Outgoing again(RunRow run, Event.RunStarted started, List<Payload> input, UUID next) {
        Origin origin = Origin.NONE.with(started.origin().debounce());
        Message start = new Message.StartRun(next, started.type(), input, null, started.memo(), origin);
        return RunLog.outgoing(next, run.workflowId(), start);
    }

    /** Returns the answer to an update whose handler did not return before the run closed. */
    static Event unanswered(Instant at, long position) {
        Failure closed = Failure.of(new DormouseException(
                ErrorCode.RUN_CLOSED,
                "Expected an answer, but the workflow ended before its handler returned one. "
                        + "Let the workflow await its handlers: Workflow.awaitHandlers()."));
        return new Event.UpdateAnswered(at, position, false, Payload.NOTHING, closed);
    }
}
