package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.load.Crowd;
import dev.dormouse.benchmarks.system.Backlog;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Timers without a workflow. Set by many threads at a time, so that the store gets them in batches. Those that were set
 * before the start meet a node that has just been opened.
 */
final class DormouseTimers implements Backlog {
    private static final String HANDLER = "fire";
    private static final int THREADS = 500;

    private final Database database;
    private Dormouse dormouse;
    private boolean isAnySet;

    private DormouseTimers(Database database) {
        this.database = database;
        this.dormouse = node();
    }

    static DormouseTimers open(Database database) {
        return new DormouseTimers(database);
    }

    private Dormouse node() {
        return Dormouse.builder().store(database.url()).open();
    }

    @Override
    public void start(IntConsumer fired) {
        if (isAnySet) {
            dormouse.close();
            dormouse = node();
        }
        dormouse.timers().handle(HANDLER, Integer.class, number -> fired.accept(number));
    }

    @Override
    public void set(int first, List<Instant> due) throws Exception {
        isAnySet = true;
        Crowd.each(THREADS, due.size(), i -> dormouse.timers().at(due.get(i), HANDLER, first + i));
    }

    @Override
    public int setsPerSecond() {
        return 4_000;
    }

    @Override
    public void close() {
        dormouse.close();
    }
}
