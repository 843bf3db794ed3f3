package dev.dormouse.examples.tutorial;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;

/** An invoice, from the first letter to the payment. */
@WorkflowInterface
public interface Invoice {
    @WorkflowMethod
    String collect(String customer, Duration patience);

    @SignalMethod
    void paid();

    @QueryMethod
    int reminders();
}
