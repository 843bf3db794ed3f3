package dev.dormouse.support;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Instant;

@WorkflowInterface
public interface Approval {
    @WorkflowMethod
    String execute(Instant deadline);

    @SignalMethod
    void approve();

    @SignalMethod
    void extendDeadline(Instant later);

    @UpdateMethod
    Instant moveDeadline(Instant later);

    @QueryMethod
    Instant deadline();

    @QueryMethod
    String state();

    class Implementation implements Approval {
        private final UpdatableTimer timer = Workflow.newUpdatableTimer("deadline");
        private boolean approved;
        private String state = "PENDING";

        @Override
        public String execute(Instant deadline) {
            boolean inTime = timer.await(deadline, () -> approved);
            state = inTime ? "APPROVED" : "REJECTED";
            return state;
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
        public Instant moveDeadline(Instant later) {
            timer.updateWakeUpTime(later, "asked for");
            return timer.wakeUpTime();
        }

        @Override
        public Instant deadline() {
            return timer.wakeUpTime();
        }

        @Override
        public String state() {
            return state;
        }
    }
}
