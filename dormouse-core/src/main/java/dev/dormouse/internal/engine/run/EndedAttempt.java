package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.internal.run.StepCall;
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
}
