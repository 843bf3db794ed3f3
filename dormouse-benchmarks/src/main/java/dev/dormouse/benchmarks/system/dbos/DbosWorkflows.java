package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.context.WorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.StepEngine;

/** DBOS workflows, each called with its own id. */
final class DbosWorkflows implements StepEngine {
    private final DbosApp app;
    private final Stepping stepping;

    private DbosWorkflows(DbosApp app, Stepping stepping) {
        this.app = app;
        this.stepping = stepping;
    }

    static DbosWorkflows open(BenchDatabase database) {
        DbosApp app = new DbosApp(database);
        Stepping stepping = app.dbos().registerProxy(Stepping.class, new Implementation(app.dbos()));
        app.dbos().launch();
        return new DbosWorkflows(app, stepping);
    }

    @Override
    public void run(String id, int steps) {
        try (WorkflowOptions.Guard named = new WorkflowOptions(id).setContext()) {
            stepping.steps(steps);
        }
    }

    @Override
    public void close() {
        app.close();
    }

    /** The interface of the DBOS proxy. */
    interface Stepping {
        String steps(int number);
    }

    /** The workflow. */
    static final class Implementation implements Stepping {
        private final DBOS dbos;

        Implementation(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "steps")
        public String steps(int number) {
            String last = "";
            for (int i = 0; i < number; i++) {
                last = dbos.<String, RuntimeException>runStep(() -> "done", "step");
            }
            return last;
        }
    }
}
