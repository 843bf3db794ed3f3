package dev.dormouse.examples.subscription;

import dev.dormouse.ActivityInterface;
import java.time.Instant;

/** What is done about customers who do not pay. */
@ActivityInterface
public interface Billing {
    void askForPayment(String customer, Instant until);

    void suspend(String customer);
}
