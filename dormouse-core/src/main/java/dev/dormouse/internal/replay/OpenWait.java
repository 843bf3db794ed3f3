package dev.dormouse.internal.replay;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A description of a call of the code that has not returned.
 *
 * @param call its number
 * @param name the name of the step, the child's workflow id, or the subject of the wait; may be empty
 * @param since when the code made the call
 * @param until when it ends at the latest, or when its next attempt begins; null if it has no deadline
 * @param canMove true if {@code until} can be moved from outside
 * @param at the line of the code; known in queries only, otherwise empty
 */
public record OpenWait(
        int call,
        Kind kind,
        String name,
        Instant since,
        @Nullable Instant until,
        boolean canMove,
        String at) {

    public enum Kind {
        SLEEP,
        TIMER,
        CONDITION,
        SIGNAL,
        EVENT,
        STEP,
        CHILD
    }
}
