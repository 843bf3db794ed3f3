package dev.dormouse.examples.approval;

import dev.dormouse.UpdatableTimer;
import dev.dormouse.Workflow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A workflow that returns APPROVED at once when it is approved, or REJECTED at the deadline, which may have been moved.
 */
public class ApprovalWorkflow implements Approval {
    private final UpdatableTimer timer = Workflow.newUpdatableTimer();
    private boolean approved;

    @Override
    public String execute(Instant deadline) {
        boolean inTime = timer.await(deadline, () -> approved); // whichever comes first
        return inTime ? "APPROVED" : "REJECTED";
    }

    @Override
    public void approve() {
        approved = true;
    }

    @Override
    public void extendDeadline(Instant later) {
        timer.updateWakeUpTime(later);
    }

    @Override
    public @Nullable Instant deadline() {
        return timer.wakeUpTime();
    }
}
