package dev.dormouse.server.api;

import dev.dormouse.internal.history.Event;
import dev.dormouse.server.view.FailureView;
import dev.dormouse.server.view.Value;
import java.util.Optional;

/** The result or failure of a run, taken from its last event. */
record RunOutcome(Optional<Value> result, Optional<FailureView> failure) {

    static final RunOutcome UNKNOWN = new RunOutcome(Optional.empty(), Optional.empty());

    static RunOutcome of(Event last) {
        if (last instanceof Event.RunCompleted e) {
            return new RunOutcome(Optional.of(Value.of(e.result())), Optional.empty());
        } else if (last instanceof Event.RunFailed e) {
            return failed(FailureView.of(e.failure()));
        } else if (last instanceof Event.RunTerminated e) {
            return failed(FailureView.of("terminated", e.reason()));
        } else if (last instanceof Event.RunCancelled e) {
            return failed(FailureView.of("cancelled", e.reason()));
        } else if (last instanceof Event.RunTimedOut) {
            return failed(FailureView.of("timed out", "its execution timeout has passed"));
        }
        return UNKNOWN;
    }

    private static RunOutcome failed(FailureView failure) {
        return new RunOutcome(Optional.empty(), Optional.of(failure));
    }
}
