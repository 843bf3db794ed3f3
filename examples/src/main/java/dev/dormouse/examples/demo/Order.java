package dev.dormouse.examples.demo;

import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** An order of the demo's shop, from its stock to its survey. */
@WorkflowInterface
public interface Order {
    /** The result: how much was charged, in cents, by all steps together. */
    @WorkflowMethod
    long run(Plan plan);

    @SignalMethod
    void approve();
}
