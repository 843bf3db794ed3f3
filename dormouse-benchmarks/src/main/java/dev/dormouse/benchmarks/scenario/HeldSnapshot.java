package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.DatabaseStatistics;
import dev.dormouse.benchmarks.load.EvenInstants;
import dev.dormouse.benchmarks.load.FiringCounter;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.load.TimerFirings;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.ClaimEngine;
import dev.dormouse.benchmarks.system.Contender;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Another transaction holds a snapshot while very many workflows start and end, so that vacuum cannot remove their dead
 * rows: the loss of throughput, and the duration of a claim, before and after.
 */
public record HeldSnapshot(int inFlight) implements Scenario {
    private static final int TIMERS = 100;
    private static final Duration LEAD = Duration.ofSeconds(1);
    private static final Duration OVER = Duration.ofSeconds(2);

    @Override
    public List<String> names() {
        return List.of("snapshot", "snapshot-before", "snapshot-claim", "snapshot-claim-before");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(ClaimEngine.class);
    }

    @Override
    public boolean needsServer() {
        return true;
    }

    @Override
    public TurnLength length() {
        return TurnLength.ONCE;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        int part = Math.max(1, turn.effort().snapshotRuns() / 5);
        try (ClaimEngine engine = turn.open(ClaimEngine.class)) {
            FiringCounter board = new FiringCounter();
            engine.start(board::fired);
            run(engine, "warm-up-", part / 4 + 1);
            double before = run(engine, "before-", part);
            double claimBefore = claim(turn.insight(), engine, board);
            try (AutoCloseable snapshot = turn.insight().holdSnapshot()) {
                run(engine, "during-", part * 4);
                double after = run(engine, "after-", part);
                double claimAfter = claim(turn.insight(), engine, board);
                return List.of(
                        new Reading("snapshot-before", Unit.PER_SECOND, before),
                        new Reading("snapshot", Unit.PER_SECOND, after),
                        new Reading("snapshot-claim-before", Unit.MILLIS, claimBefore),
                        new Reading("snapshot-claim", Unit.MILLIS, claimAfter));
            }
        }
    }

    /** Runs {@code number} workflows. Returns the rate per second. */
    private double run(ClaimEngine engine, String prefix, int number) throws Exception {
        long began = System.nanoTime();
        ParallelThreads.each(inFlight, number, i -> engine.run(prefix + i, 1));
        return number / ((System.nanoTime() - began) / 1e9);
    }

    /** Lets some timers fire. Returns the mean time of a claim on the server. */
    private static double claim(DatabaseStatistics insight, ClaimEngine engine, FiringCounter board) throws Exception {
        DatabaseStatistics.Spent before = insight.spent(engine.claimText());
        List<Instant> due = EvenInstants.of(Instant.now().plus(LEAD), TIMERS, OVER);
        TimerFirings waiting = board.expect(0, due);
        engine.set(0, due);
        waiting.await(Duration.ofMinutes(1));
        DatabaseStatistics.Spent after = insight.spent(engine.claimText());
        return (after.millis() - before.millis()) / Math.max(1, after.calls() - before.calls());
    }
}
