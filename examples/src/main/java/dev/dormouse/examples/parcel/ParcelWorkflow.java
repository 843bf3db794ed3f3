package dev.dormouse.examples.parcel;

import dev.dormouse.Workflow;
import java.time.Duration;

/**
 * Parcels were not insured at first. When that changed, thousands of them were shipped and waiting for their review.
 * Their histories contain no insurance, and code that asked for one would not match them. The version distinguishes the
 * runs with the change from those without. Once the last old run has ended, the condition can be removed, and later the
 * version too.
 */
public class ParcelWorkflow implements Parcel {
    private static final int UNINSURED = 0;
    private static final int INSURED = 1;

    private final Shop shop = Workflow.activities(Shop.class);
    private final Duration journey;

    public ParcelWorkflow(Duration journey) {
        this.journey = journey;
    }

    @Override
    public void deliver(String order) {
        if (Workflow.version("insurance", UNINSURED, INSURED) == INSURED) {
            shop.insure(order);
        }
        shop.ship(order);
        Workflow.sleep(journey);
        shop.askForReview(order);
    }
}
