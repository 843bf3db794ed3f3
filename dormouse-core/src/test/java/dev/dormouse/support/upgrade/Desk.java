package dev.dormouse.support.upgrade;

import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A workflow with an update that is answered only after a signal. */
@WorkflowInterface
interface Desk {
    @WorkflowMethod
    String run();

    @SignalMethod
    void open();

    @UpdateMethod
    String greet(String guest);

    class Implementation implements Desk {
        private final Work work;
        private boolean isOpen;
        private String greeted = "";

        Implementation(Work work) {
            this.work = work;
        }

        @Override
        public String run() {
            Workflow.await(() -> isOpen);
            Workflow.awaitHandlers();
            return "greeted" + greeted;
        }

        @Override
        public void open() {
            isOpen = true;
        }

        @Override
        public String greet(String guest) {
            Workflow.await(() -> isOpen);
            String place = Workflow.info().workflowId() + "/greet";
            greeted += " " + guest;
            return Workflow.step("greet", String.class, () -> work.at(place)) + " " + guest;
        }
    }
}
