package dev.dormouse.examples.webhook;

import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.net.URI;

/** The delivery of one event to one receiver. */
@WorkflowInterface
public interface Delivery {
    /** Returns {@code DELIVERED}, or {@code GAVE UP} with the reason. */
    @WorkflowMethod
    String deliver(URI receiver, String event);
}
