package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.Durability;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.BatchedEngine;

/** Workflows under {@link Durability#BATCHED}. */
final class DormouseBatched implements BatchedEngine {
    private static final String TYPE = "batched";
    private static final int STEPS = 10;

    private final Dormouse dormouse;

    private DormouseBatched(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseBatched open(BenchDatabase database) {
        return new DormouseBatched(Dormouse.builder()
                .store(database.url())
                .workflow(
                        TYPE,
                        Durability.BATCHED,
                        Integer.class,
                        String.class,
                        (context, steps) -> DormouseWorkflows.steps(steps))
                .open());
    }

    @Override
    public void run(String id) {
        dormouse.start(TYPE, id, String.class, STEPS).result();
    }

    @Override
    public void close() {
        dormouse.close();
    }
}
