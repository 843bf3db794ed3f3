package dev.dormouse.examples.activities;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A workflow that sends a bill. docs/activities.md quotes this. */
@WorkflowInterface
public interface Billing {
    @WorkflowMethod
    String run(String customer);
}
