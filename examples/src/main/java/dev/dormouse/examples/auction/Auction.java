package dev.dormouse.examples.auction;

import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;

/** An auction. A late bid moves its end, but never beyond a limit. */
@WorkflowInterface
public interface Auction {
    /** Returns the winning bid. */
    @WorkflowMethod
    Bid run(Instant closing, Instant limit);

    /** Places a bid. Returns the bid that leads now. */
    @UpdateMethod
    Bid bid(String bidder, int amount);

    @UpdateValidatorMethod(update = "bid")
    void checkBid(String bidder, int amount);

    @QueryMethod
    Bid leader();

    record Bid(String bidder, int amount) {
        public static final Bid NONE = new Bid("nobody", 0);
    }
}
