package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.system.BacklogTimerEngine;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Dormouse timers without a workflow, set by many threads at a time, so that the store gets them in batches. Timers set
 * before the start are fired by a newly opened node.
 */
final class DormouseTimers implements BacklogTimerEngine {
    private static final String HANDLER = "fire";
    private static final int THREADS = 500;

    private final BenchDatabase database;
    private Dormouse dormouse;
    private boolean isAnySet;

    private DormouseTimers(BenchDatabase database) {
        this.database = database;
        this.dormouse = node();
    }

    static DormouseTimers open(BenchDatabase database) {
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
        ParallelThreads.each(THREADS, due.size(), i -> dormouse.timers().at(due.get(i), HANDLER, first + i));
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
