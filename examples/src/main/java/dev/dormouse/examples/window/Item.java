package dev.dormouse.examples.window;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A child that processes one record. */
@WorkflowInterface
public interface Item {
    @WorkflowMethod
    void process(String parent, int item);
}
