package dev.dormouse.examples.approval;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request that a person has to approve before a deadline, which can be moved while it is pending. */
@WorkflowInterface
public interface Approval {
    @WorkflowMethod
    String execute(Instant deadline);

    @SignalMethod
    void approve();

    @SignalMethod
    void extendDeadline(Instant later);

    /** Returns the deadline; null before the first line of the workflow has run. */
    @QueryMethod
    @Nullable
    Instant deadline();
}
