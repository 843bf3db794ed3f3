package dev.dormouse.benchmarks.scenario;

import java.time.Duration;

/**
 * How much of everything.
 *
 * @param warmUp how long a load lasts before it counts
 * @param window how long it counts
 * @param idle how long statements of an idle node are counted
 * @param snapshotRuns how many workflows start and end while a snapshot is held
 * @param most how many of anything there are at most, whatever a scenario's name says
 */
public record Effort(Duration warmUp, Duration window, Duration idle, int snapshotRuns, int most) {
    public static final Effort QUICK = new Effort(
            Duration.ofMillis(1_500), Duration.ofSeconds(3), Duration.ofSeconds(20), 50_000, Integer.MAX_VALUE);
    public static final Effort FULL = new Effort(
            Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(60), 1_000_000, Integer.MAX_VALUE);

    private static final int WINDOWS_OF_WARM_UP = 4;

    /** Before anything is measured: the compiler of the JVM takes ten seconds and more of the same to be done with it. */
    public Effort forWarmUp() {
        return new Effort(warmUp, window.multipliedBy(WINDOWS_OF_WARM_UP), idle, snapshotRuns, most);
    }

    /** So many, or as many as there may be. */
    int atMost(int number) {
        return Math.min(number, most);
    }
}
