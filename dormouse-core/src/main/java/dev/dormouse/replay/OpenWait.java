package dev.dormouse.replay;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call of the code that has not returned.
 *
 * @param call its number
 * @param name of the step, the child's workflow id, or what it waits for; may be empty
 * @param since when the code made it
 * @param until when it is over at the latest, or when its next attempt begins; null where time does not matter
 * @param canMove whether that can be moved from outside
 * @param at the line of the code
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
