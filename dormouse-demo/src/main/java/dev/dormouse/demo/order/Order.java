package dev.dormouse.demo.order;

import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** An order of the demo's shop, from the reservation to the survey. */
@WorkflowInterface
public interface Order {
    /** Returns the amount charged by all steps together, in cents. */
    @WorkflowMethod
    long run(Plan plan);

    @SignalMethod
    void approve();
}
