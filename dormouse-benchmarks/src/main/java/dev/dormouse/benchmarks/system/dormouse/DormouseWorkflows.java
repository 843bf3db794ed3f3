package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.StepEngine;

/** Dormouse workflows, each called with its own id. */
final class DormouseWorkflows implements StepEngine {
    private final Dormouse dormouse;

    private DormouseWorkflows(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseWorkflows open(BenchDatabase database) {
        return new DormouseWorkflows(Dormouse.builder()
                .store(database.url())
                .workflow(Stepping.class, () -> DormouseWorkflows::steps)
                .open());
    }

    static String steps(int number) {
        String last = "";
        for (int i = 0; i < number; i++) {
            last = Workflow.step("step", String.class, () -> "done");
        }
        return last;
    }

    @Override
    public void run(String id, int steps) {
        dormouse.workflow(Stepping.class, id).steps(steps);
    }

    @Override
    public void close() {
        dormouse.close();
    }

    /** The workflow. */
    @WorkflowInterface
    interface Stepping {
        @WorkflowMethod
        String steps(int number);
    }
}
