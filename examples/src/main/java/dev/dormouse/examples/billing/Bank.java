package dev.dormouse.examples.billing;

import dev.dormouse.ActivityInterface;

/** The payments of members. */
@ActivityInterface(name = "billing.Bank")
public interface Bank {
    /** Charges a customer. Must charge only once for each {@link dev.dormouse.Activity#idempotencyKey}. */
    void charge(String customer, int cents);

    void suspend(String customer, String reason);
}
