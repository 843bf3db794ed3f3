package dev.dormouse.examples.auction;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import java.time.Duration;
import java.time.Instant;

/**
 * An auction. Bids are handled in the order in which the store accepted them, and the first of the highest bids wins.
 */
public class AuctionWorkflow implements Auction {
    private final UpdatableTimer timer = Workflow.newUpdatableTimer();
    private final Duration lastMinutes;
    private Instant closing = Instant.MIN;
    private Instant limit = Instant.MIN;
    private boolean begun;
    private boolean over;
    private Bid leader = Bid.NONE;

    public AuctionWorkflow(Duration lastMinutes) {
        this.lastMinutes = lastMinutes;
    }

    @Override
    public Bid run(Instant firstClosing, Instant lastClosing) {
        closing = firstClosing;
        limit = lastClosing;
        begun = true;
        timer.sleepUntil(closing);
        over = true;
        return leader;
    }

    @Override
    public void checkBid(String bidder, int amount) {
        if (over) {
            throw new IllegalStateException("The auction is over.");
        } else if (amount <= 0) {
            throw new IllegalArgumentException("A bid is more than nothing.");
        }
    }

    @Override
    public Bid bid(String bidder, int amount) {
        Workflow.await(() -> begun); // a bid can arrive before the first line has run
        if (amount > leader.amount()) {
            leader = new Bid(bidder, amount);
        }
        Instant later = Workflow.now().plus(lastMinutes); // now: when the store accepted the bid
        if (later.isAfter(closing)) {
            closing = later.isBefore(limit) ? later : limit;
            timer.updateWakeUpTime(closing, "bid of " + bidder);
        }
        return leader;
    }

    @Override
    public Bid leader() {
        return leader;
    }
}
