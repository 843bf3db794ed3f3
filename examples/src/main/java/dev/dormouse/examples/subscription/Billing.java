package dev.dormouse.examples.subscription;

import dev.dormouse.ActivityInterface;
import java.time.Instant;

/** The activities for customers who do not pay. */
@ActivityInterface
public interface Billing {
    void askForPayment(String customer, Instant until);

    void suspend(String customer);
}
