package dev.dormouse.benchmarks.scenario;

import java.time.Duration;

/**
 * The scale of a benchmark.
 *
 * @param warmUp the duration of a load before it counts
 * @param window the duration for which it counts
 * @param idle the duration for which statements of an idle node are counted
 * @param snapshotRuns the number of workflows that start and end while a snapshot is held
 * @param most the upper bound of all numbers, even if a scenario's name says more
 */
public record BenchmarkScale(Duration warmUp, Duration window, Duration idle, int snapshotRuns, int most) {
    public static final BenchmarkScale QUICK = new BenchmarkScale(
            Duration.ofMillis(1_500), Duration.ofSeconds(3), Duration.ofSeconds(20), 50_000, Integer.MAX_VALUE);
    public static final BenchmarkScale FULL = new BenchmarkScale(
            Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(60), 1_000_000, Integer.MAX_VALUE);

    private static final int WINDOWS_OF_WARM_UP = 4;

    /**
     * Returns the scale of the warm-up before all measurements: the JIT compiler needs ten seconds or more of the same
     * code.
     */
    public BenchmarkScale forWarmUp() {
        return new BenchmarkScale(warmUp, window.multipliedBy(WINDOWS_OF_WARM_UP), idle, snapshotRuns, most);
    }

    /** Returns {@code number}, limited by {@code most}. */
    int atMost(int number) {
        return Math.min(number, most);
    }
}
