package dev.dormouse.examples.ratelimit;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A workflow that sends the data of a customer to a service. */
@WorkflowInterface
public interface Sync {
    @WorkflowMethod
    int sync(String customer, int requests);
}
