package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Sleeps;
import java.time.Duration;
import java.time.Instant;

/** A sleep counts from its call. It holds a thread: a virtual one where there are such, or else one of 50 per core. */
final class DbosSleeps implements Sleeps {
    private final DbosApp app;
    private final Sleeping sleeping;

    private DbosSleeps(DbosApp app) {
        this.app = app;
        this.sleeping = app.dbos().registerProxy(Sleeping.class, new Implementation(app.dbos()));
        app.dbos().launch();
    }

    static DbosSleeps open(Database database) {
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

    /** What DBOS makes a proxy of. */
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
