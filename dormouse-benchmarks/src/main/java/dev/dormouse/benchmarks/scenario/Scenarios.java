package dev.dormouse.benchmarks.scenario;

import java.time.Duration;
import java.util.List;

/** All scenarios, in the order in which they are measured. */
public final class Scenarios {
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    /** Left out of quick runs, unless it is selected. */
    private static final Scenario MILLION_SLEEPERS = new SleepingWorkflows(1_000_000);

    private Scenarios() {}

    public static List<Scenario> all() {
        return List.of(
                new Throughput(1, 1),
                new Throughput(1, 32),
                new Throughput(1, 1_000),
                new Throughput(10, 1_000),
                new TimerLateness(1_000, TEN_SECONDS),
                new SleepLateness(1_000, TEN_SECONDS),
                new TimerBurst(20_000),
                new OverdueTimers(100_000),
                new UpdateLatency(),
                new Signals(32),
                new BatchedSteps(),
                new SeveralNodes(1, 1_000),
                new SeveralNodes(2, 1_000),
                new SeveralNodes(3, 1_000),
                new Takeover(1_000),
                new HeldSnapshot(1_000),
                new SleepingWorkflows(100_000),
                MILLION_SLEEPERS);
    }

    /** Returns all scenarios except slow ones. */
    public static List<Scenario> quick() {
        return all().stream()
                .filter(scenario -> !scenario.equals(MILLION_SLEEPERS))
                .toList();
    }
}
