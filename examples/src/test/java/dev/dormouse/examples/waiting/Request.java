package dev.dormouse.examples.waiting;

import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;

/** A request that waits for an approval; each pitfall implements the methods that it needs. */
@WorkflowInterface
interface Request {
    @WorkflowMethod
    String execute(Instant deadline);

    @SignalMethod
    default void approve() {}

    @SignalMethod
    default void extendDeadline(Instant later) {}
}
