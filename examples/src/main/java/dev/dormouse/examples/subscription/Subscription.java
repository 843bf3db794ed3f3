package dev.dormouse.examples.subscription;

import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;

/** A subscription whose last payment has failed. */
@WorkflowInterface
public interface Subscription {
    /** Returns {@code ACTIVE} or {@code SUSPENDED}. */
    @WorkflowMethod
    String collect(String customer, Duration grace);

    @SignalMethod
    void paid();
}
