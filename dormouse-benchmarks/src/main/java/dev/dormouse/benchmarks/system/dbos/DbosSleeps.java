package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.SleepEngine;
import java.time.Duration;
import java.time.Instant;

/**
 * DBOS sleeps, counted from their call. A sleep holds a thread: a virtual one if the runtime has them, or else one of
 * 50 per core.
 */
final class DbosSleeps implements SleepEngine {
    private final DbosApp app;
    private final Sleeping sleeping;

    private DbosSleeps(DbosApp app) {
        this.app = app;
        this.sleeping = app.dbos().registerProxy(Sleeping.class, new Implementation(app.dbos()));
        app.dbos().launch();
    }

    static DbosSleeps open(BenchDatabase database) {
        return new DbosSleeps(new DbosApp(database));
    }

    @Override
    public Duration sleep(String id, Duration time) {
        return Duration.ofNanos(app.dbos()
                .<Long, RuntimeException>startWorkflow(
                        () -> sleeping.sleep(time.toMillis()), new StartWorkflowOptions(id))
                .getResult());
    }

    @Override
    public void close() {
        app.close();
    }

    /** The interface of the DBOS proxy. */
    interface Sleeping {
        long sleep(long millis);
    }

    /** The workflow. */
    static final class Implementation implements Sleeping {
        private final DBOS dbos;

        Implementation(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "sleep")
        public long sleep(long millis) {
            Instant due = Instant.now().plusMillis(millis);
            dbos.sleep(Duration.ofMillis(millis));
            return Duration.between(due, Instant.now()).toNanos();
        }
    }
}
