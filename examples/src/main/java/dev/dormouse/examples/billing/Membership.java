package dev.dormouse.examples.billing;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;

/** A membership that is paid once per period, until it is cancelled. */
@WorkflowInterface
public interface Membership {
    /** Returns the cents that were paid in total. */
    @WorkflowMethod
    int run(State state);

    /** Changes the price from the next charge on. Returns the old price. */
    @UpdateMethod
    int changePrice(int cents);

    /** Ends the membership at the end of the paid period. */
    @SignalMethod
    void cancel();

    @QueryMethod
    int paid();

    /**
     * Everything that the next run needs to know.
     *
     * @param nextCharge the instant of the next charge
     * @param paid the cents that were paid so far
     */
    record State(String customer, int price, Duration period, Instant nextCharge, int paid) {}
}
