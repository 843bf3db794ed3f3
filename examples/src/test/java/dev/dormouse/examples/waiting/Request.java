package dev.dormouse.examples.waiting;

import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;

/** A request that waits for an approval; the pitfalls implement what they need of it. */
@WorkflowInterface
interface Request {
    @WorkflowMethod
    String execute(Instant deadline);

    @SignalMethod
    default void approve() {}

    @SignalMethod
    default void extendDeadline(Instant later) {}
}
