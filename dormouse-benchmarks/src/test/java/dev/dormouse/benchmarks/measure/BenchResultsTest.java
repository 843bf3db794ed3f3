package dev.dormouse.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Ratios of systems, round by round. */
class BenchResultsTest {
    private final BenchResults results = new BenchResults();

    @Test
    void ratioIsTakenWithinEachRound() {
        add(1, "ours", "rate", Unit.PER_SECOND, 100);
        add(1, "theirs", "rate", Unit.PER_SECOND, 50);
        add(2, "ours", "rate", Unit.PER_SECOND, 10);
        add(2, "theirs", "rate", Unit.PER_SECOND, 20);
        assertThat(results.advantage("rate", "ours", "theirs")).contains(new Spread(1.25, 0.5, 2, 2));
        assertThat(results.cell("rate", "ours")).contains(new Spread(55, 10, 100, 2));
    }

    @Test
    void lessIsBetterWhereTimeIsMeasured() {
        add(1, "ours", "latency", Unit.MILLIS, 2);
        add(1, "theirs", "latency", Unit.MILLIS, 6);
        assertThat(results.advantage("latency", "ours", "theirs")).contains(new Spread(3, 3, 3, 1));
    }

    @Test
    void roundsWithAMissingSystemDoNotCount() {
        add(1, "ours", "rate", Unit.PER_SECOND, 100);
        add(2, "theirs", "rate", Unit.PER_SECOND, 20);
        assertThat(results.advantage("rate", "ours", "theirs")).isEmpty();
        assertThat(results.advantage("rate", "ours", "nobody")).isEmpty();
    }

    @Test
    void countsAndNonPositiveFiguresAreNotCompared() {
        add(1, "ours", "early", Unit.COUNT, 0);
        add(1, "theirs", "early", Unit.COUNT, 400);
        add(1, "ours", "lateness", Unit.MILLIS, 1);
        add(1, "theirs", "lateness", Unit.MILLIS, -3);
        assertThat(results.advantage("early", "ours", "theirs")).isEmpty();
        assertThat(results.advantage("lateness", "ours", "theirs")).isEmpty();
        assertThat(results.sum("theirs", "early")).isEqualTo(400);
    }

    private void add(int round, String system, String name, Unit unit, double value) {
        results.add(round, system, new Reading(name, unit, value));
    }
}
