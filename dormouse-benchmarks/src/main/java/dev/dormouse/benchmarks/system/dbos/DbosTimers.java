package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.load.Crowd;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/** Workflows on a queue, with a delay: rows until they are due, which is looked up once a second. */
final class DbosTimers implements Timers {
    static final Duration POLLING = Duration.ofMillis(100);
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final DbosApp app;
    private final Queue queue = new Queue("timers").withPollingInterval(POLLING);
    private final Firing firing;
    private final Implementation implementation = new Implementation();

    private DbosTimers(DbosApp app) {
        this.app = app;
        app.dbos().registerQueue(queue);
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
                i -> app.dbos().startWorkflow(() -> firing.fire(first + i), delayed(due.get(i))));
    }

    private StartWorkflowOptions delayed(Instant due) {
        Duration delay = Duration.between(Instant.now(), due);
        return new StartWorkflowOptions(queue).withDelay(delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay);
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
        void fire(int number);
    }

    /** The workflow. */
    static final class Implementation implements Firing {
        private volatile IntConsumer fired = number -> {};

        @Override
        @Workflow(name = "fire")
        public void fire(int number) {
            fired.accept(number);
        }
    }
}
