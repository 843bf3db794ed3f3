package dev.dormouse.server.browser;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.time.Duration;

/** The sample workflow: an order that executes a step, waits a day for a person, and sleeps for three days. */
@WorkflowInterface
public interface Order {

    @WorkflowMethod
    String run(String article);

    @SignalMethod
    void approve(String by);

    @QueryMethod
    String state();

    /** The implementation. */
    final class Code implements Order {
        private String state = "new";
        private String approvedBy = "";

        @Override
        public String run(String article) {
            String number = Workflow.step("reserve", String.class, () -> "R-17");
            state = "reserved";
            if (!Workflow.await(Duration.ofHours(24), () -> !approvedBy.isEmpty())) {
                return "nobody approved " + number;
            }
            String parcel = Workflow.step("ship", String.class, () -> "TRK-881");
            state = "shipped " + parcel;
            Workflow.sleep(Duration.ofDays(3));
            Workflow.step("survey", () -> {});
            return parcel;
        }

        @Override
        public void approve(String by) {
            approvedBy = by;
        }

        @Override
        public String state() {
            return state;
        }
    }
}
