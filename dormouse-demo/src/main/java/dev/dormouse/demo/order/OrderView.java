package dev.dormouse.demo.order;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of an order.
 *
 * @param stepsDone the number of steps with a result
 * @param attempts the number of failed attempts of the current step
 * @param since when it entered its state
 * @param until when its alarm fires; null for none
 * @param events the length of its history
 */
public record OrderView(
        int number,
        String item,
        State state,
        int stepsDone,
        int attempts,
        Instant since,
        @Nullable Instant until,
        int events) {

    public enum State {
        /** A node executes it, or is about to. Its alarm is the end of a lease. */
        EXECUTING,
        BACK_OFF,
        APPROVAL,
        DELIVERY,
        /** It was executed while several workers died one after the other, and its next attempt is delayed. */
        HELD_BACK,
        ENDED,
        /** It was cancelled or terminated in the dashboard. */
        CALLED_OFF,
        /** It failed, is stuck, or is in another unexpected state. */
        TROUBLE;

        public boolean isWaiting() {
            return this == BACK_OFF || this == APPROVAL || this == DELIVERY;
        }
    }

    public boolean isOpen() {
        return state != State.ENDED && state != State.CALLED_OFF && state != State.TROUBLE;
    }

    /** Returns true if its alarm should have fired. */
    public boolean isDue(Instant now) {
        return state.isWaiting() && until != null && !until.isAfter(now);
    }
}
