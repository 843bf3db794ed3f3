package dev.dormouse.examples.approval;

import dev.dormouse.Workflow;
import java.time.Instant;

/** Approved at once, or rejected at the deadline. */
public class FixedApprovalWorkflow implements FixedApproval {
    private boolean approved;
    private Decision decision = Decision.PENDING;

    @Override
    public Decision execute(Instant deadline) {
        boolean inTime = Workflow.await(deadline, () -> approved); // whichever comes first
        decision = inTime ? Decision.APPROVED : Decision.REJECTED;
        return decision;
    }

    @Override
    public void approve() {
        approved = true;
    }

    @Override
    public Decision decision() {
        return decision;
    }
}
