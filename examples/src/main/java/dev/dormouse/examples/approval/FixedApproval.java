package dev.dormouse.examples.approval;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;

/** A request that a person has to approve before a fixed deadline. */
@WorkflowInterface
public interface FixedApproval {
    @WorkflowMethod
    Decision execute(Instant deadline);

    @SignalMethod
    void approve();

    @QueryMethod
    Decision decision();
}
