package dev.dormouse.examples.trial;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A trial of some product, from the welcome to its end. */
@WorkflowInterface
public interface Trial {
    @WorkflowMethod
    String run(String user);
}
