package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;

/** A workflow that lives on its mail. */
@WorkflowInterface
interface Talk {
    @WorkflowMethod
    int run();

    @SignalMethod
    void tell(int number);

    @UpdateMethod
    int ask(int number);

    /** Counts what it is told, and never comes to an end by itself. */
    final class Implementation implements Talk {
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
