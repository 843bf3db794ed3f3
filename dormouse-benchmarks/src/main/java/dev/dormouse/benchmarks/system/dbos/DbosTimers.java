package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.load.Crowd;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Workflows that sleep until they are due. (A queue with a delay is the other way; it looks once a second for what is due,
 * and was slower in both scenarios on Java 17. It was not tried on later ones.)
 */
final class DbosTimers implements Timers {
    private final DbosApp app;
    private final Firing firing;
    private final Implementation implementation;

    private DbosTimers(DbosApp app) {
        this.app = app;
        this.implementation = new Implementation(app.dbos());
        this.firing = app.dbos().registerProxy(Firing.class, implementation);
    }

    static DbosTimers open(Database database) {
        return new DbosTimers(new DbosApp(database));
    }

    @Override
    public void start(IntConsumer fired) {
        implementation.fired = fired;
        app.dbos().launch();
    }

    @Override
    public void set(int first, List<Instant> due) throws Exception {
        Crowd.each(
                Contender.CONNECTIONS,
                due.size(),
                i -> app.dbos()
                        .startWorkflow(() -> firing.fire(first + i, due.get(i).toEpochMilli())));
    }

    @Override
    public int setsPerSecond() {
        return 800;
    }

    @Override
    public void close() {
        app.close();
    }

    /** What DBOS makes a proxy of. */
    interface Firing {
        void fire(int number, long dueMillis);
    }

    /** The workflow. */
    static final class Implementation implements Firing {
        private final DBOS dbos;
        private volatile IntConsumer fired = number -> {};

        Implementation(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "fire")
        public void fire(int number, long dueMillis) {
            Duration left = Duration.between(Instant.now(), Instant.ofEpochMilli(dueMillis));
            if (!left.isNegative()) {
                dbos.sleep(left);
            }
            fired.accept(number);
        }
    }
}
