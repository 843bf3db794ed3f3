package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.ClaimEngine;
import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/** Two nodes in one process, one for workflows and one for timers. */
final class DormouseClaims implements ClaimEngine {
    private final DormouseWorkflows workflows;
    private final DormouseTimers timers;

    private DormouseClaims(DormouseWorkflows workflows, DormouseTimers timers) {
        this.workflows = workflows;
        this.timers = timers;
    }

    static DormouseClaims open(BenchDatabase database) {
        return new DormouseClaims(DormouseWorkflows.open(database), DormouseTimers.open(database));
    }

    @Override
    public void run(String id, int steps) {
        workflows.run(id, steps);
    }

    @Override
    public void start(IntConsumer fired) {
        timers.start(fired);
    }

    @Override
    public void set(int first, List<Instant> due) throws Exception {
        timers.set(first, due);
    }

    @Override
    public int setsPerSecond() {
        return timers.setsPerSecond();
    }

    @Override
    public String claimText() {
        return "takeovers = r.takeovers + case when";
    }

    @Override
    public void close() {
        workflows.close();
        timers.close();
    }
}
