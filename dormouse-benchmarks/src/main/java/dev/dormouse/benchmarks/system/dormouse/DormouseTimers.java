package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Crowd;
import dev.dormouse.benchmarks.system.Timers;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/** Timers without a workflow. Set by many threads at a time, so that the store gets them in batches. */
final class DormouseTimers implements Timers {
    private static final String HANDLER = "fire";
    private static final int THREADS = 500;

    private final Dormouse dormouse;

    private DormouseTimers(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseTimers open(Database database) {
        return new DormouseTimers(Dormouse.builder().store(database.url()).open());
    }

    @Override
    public void start(IntConsumer fired) {
        dormouse.timers().handle(HANDLER, Integer.class, number -> fired.accept(number));
    }

    @Override
    public void set(int first, List<Instant> due) throws Exception {
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
