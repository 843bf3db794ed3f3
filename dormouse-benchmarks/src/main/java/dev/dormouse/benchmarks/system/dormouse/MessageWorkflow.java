package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A workflow that only reacts to messages. */
@WorkflowInterface
interface MessageWorkflow {
    @WorkflowMethod
    int run();

    @SignalMethod
    void tell(int number);

    @UpdateMethod
    int ask(int number);

    /** A workflow that counts its messages, and never ends by itself. */
    final class Implementation implements MessageWorkflow {
        private int told;

        @Override
        public int run() {
            Workflow.await(() -> told < 0);
            return told;
        }

        @Override
        public void tell(int number) {
            told++;
        }

        @Override
        public int ask(int number) {
            return number + 1;
        }
    }
}
