package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowContext;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Steps;

/** Workflows as functions, each started by its id and awaited. */
final class DormouseWorkflows implements Steps {
    private static final String TYPE = "steps";

    private final Dormouse dormouse;

    private DormouseWorkflows(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseWorkflows open(Database database) {
        return new DormouseWorkflows(Dormouse.builder()
                .store(database.url())
                .workflow(TYPE, Integer.class, String.class, DormouseWorkflows::steps)
                .open());
    }

    static String steps(WorkflowContext context, int number) {
        String last = "";
        for (int i = 0; i < number; i++) {
            last = context.step("step", String.class, () -> "done");
        }
        return last;
    }

    @Override
    public void run(String id, int steps) {
        dormouse.start(TYPE, id, String.class, steps).result();
    }

    @Override
    public void close() {
        dormouse.close();
    }
}
