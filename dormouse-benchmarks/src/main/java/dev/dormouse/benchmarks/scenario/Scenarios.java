package dev.dormouse.benchmarks.scenario;

import java.util.List;

/** All there are, in the order in which they are measured. */
public final class Scenarios {
    private Scenarios() {}

    public static List<Scenario> all() {
        return List.of(
                new Throughput(1, 1),
                new Throughput(1, 32),
                new Throughput(1, 1_000),
                new Throughput(10, 1_000),
                new Drain(20_000));
    }
}
