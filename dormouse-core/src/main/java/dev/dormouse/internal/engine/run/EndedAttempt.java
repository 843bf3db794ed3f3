package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepState;
import dev.dormouse.internal.run.StepTransition.Cause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a step that has ended.
 *
 * @param decided messages that were accepted before this instant precede the end; null if the order does not matter
 */
record EndedAttempt(
        StepCall step, Tried tried, StepEnd end, @Nullable Instant decided) {
    /** Returns the event that records the end. */
    Event at(Instant at) {
        return end.event(step, tried, at);
    }

    /** Returns true if the attempt only hands out its token and continues to execute. */
    boolean isHandingOut() {
        return end instanceof StepEnd.HandedOut out && !out.isRecorded();
    }

    /** Checks that the code may take this end. */
    void take() {
        if (!isHandingOut()) {
            StepState.ENDED.to(end.next(), Cause.TAKE);
        }
    }

    /** Checks that the commit that would contain this end may be dropped, so that the code takes the end again. */
    void drop() {
        if (!isHandingOut()) {
            end.next().to(StepState.ENDED, Cause.DROP);
        }
    }
}
