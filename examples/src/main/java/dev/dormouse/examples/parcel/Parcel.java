package dev.dormouse.examples.parcel;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A parcel on its way to a customer. */
@WorkflowInterface
public interface Parcel {
    @WorkflowMethod
    void deliver(String order);
}
