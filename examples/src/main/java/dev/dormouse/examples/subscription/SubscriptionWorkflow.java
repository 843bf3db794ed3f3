package dev.dormouse.examples.subscription;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import java.time.Duration;
import java.time.Instant;

/** The timer has a name, so that customer care can grant more time without a method for it. */
public class SubscriptionWorkflow implements Subscription {
    private final UpdatableTimer graceTimer = Workflow.newUpdatableTimer("grace");
    private final Billing billing = Workflow.activities(Billing.class);
    private boolean paid;

    @Override
    public String collect(String customer, Duration grace) {
        Instant until = Workflow.now().plus(grace);
        billing.askForPayment(customer, until);
        if (graceTimer.await(until, () -> paid)) {
            return "ACTIVE";
        }
        billing.suspend(customer);
        return "SUSPENDED";
    }

    @Override
    public void paid() {
        paid = true;
    }
}
