package dev.dormouse.examples.demo;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order as the store has it.
 *
 * @param stepsDone how many steps have a result
 * @param attempts how many attempts of the step at hand have failed
 * @param since when it got into its state
 * @param until when its alarm rings; null for none
 * @param events how many it has in its history
 */
record OrderView(
        int number,
        String item,
        State state,
        int stepsDone,
        int attempts,
        Instant since,
        @Nullable Instant until,
        int events) {

    enum State {
        /** A node executes it, or is about to. Its alarm is the end of a lease. */
        EXECUTING,
        BACK_OFF,
        APPROVAL,
        DELIVERY,
        /** It was executed when several workers died, one after the other, and is given time. */
        HELD_BACK,
        ENDED,
        /** Somebody has canceled or terminated it, in the dashboard. */
        CALLED_OFF,
        /** Failed, stuck, or whatever else must not be. */
        TROUBLE;

        boolean isWaiting() {
            return this == BACK_OFF || this == APPROVAL || this == DELIVERY;
        }
    }

    boolean isOpen() {
        return state != State.ENDED && state != State.CALLED_OFF && state != State.TROUBLE;
    }

    /** Whether its alarm should have rung. */
    boolean isDue(Instant now) {
        return state.isWaiting() && until != null && !until.isAfter(now);
    }
}
