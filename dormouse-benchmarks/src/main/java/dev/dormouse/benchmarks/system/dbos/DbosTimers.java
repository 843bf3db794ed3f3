package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.TimerEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Timers as DBOS workflows that sleep until they are due. (The alternative, a queue with a delay, polls once a second,
 * and was slower in both scenarios on Java 17. It was not tried on later versions.)
 */
final class DbosTimers implements TimerEngine {
    private final DbosApp app;
    private final Firing firing;
    private final Implementation implementation;

    private DbosTimers(DbosApp app) {
        this.app = app;
        this.implementation = new Implementation(app.dbos());
        this.firing = app.dbos().registerProxy(Firing.class, implementation);
    }

    static DbosTimers open(BenchDatabase database) {
        return new DbosTimers(new DbosApp(database));
    }

    @Override
    public void start(IntConsumer fired) {
        implementation.fired = fired;
        app.dbos().launch();
    }

    @Override
    public void set(int first, List<Instant> due) throws Exception {
        ParallelThreads.each(
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

    /** The interface of the DBOS proxy. */
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
