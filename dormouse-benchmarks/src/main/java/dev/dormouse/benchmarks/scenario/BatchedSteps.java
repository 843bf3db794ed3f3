package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.DatabaseStatistics;
import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.BatchedEngine;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.PlainCalls;
import java.util.List;

/** Ten steps with batched durability, one workflow at a time, compared with the same ten calls without an engine. */
public record BatchedSteps() implements Scenario {
    private static final int CALLS = 1_000_000;

    @Override
    public List<String> names() {
        return List.of("batched10", "batched10-bare", "batched10-commits", "batched10-statements");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(BatchedEngine.class);
    }

    @Override
    public boolean needsServer() {
        return true;
    }

    @Override
    public TurnLength length() {
        return TurnLength.LONG;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        DatabaseStatistics insight = turn.insight();
        try (BatchedEngine engine = turn.open(BatchedEngine.class)) {
            long statements = insight.statements();
            long commits = insight.commits();
            ClosedLoopLoad.Outcome outcome = new ClosedLoopLoad(1, engine::run)
                    .run(turn.effort().warmUp(), turn.effort().window());
            double total = outcome.total();
            return List.of(
                    new Reading("batched10", Unit.MILLIS, outcome.millis().at(50)),
                    new Reading("batched10-bare", Unit.MICROS, bare()),
                    new Reading("batched10-statements", Unit.COUNT, (insight.statements() - statements) / total),
                    new Reading("batched10-commits", Unit.COUNT, (insight.commits() - commits) / total));
        }
    }

    /** Returns the microseconds for ten plain calls. */
    private static double bare() {
        long began = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            PlainCalls.ten();
        }
        return (System.nanoTime() - began) / 1e3 / CALLS;
    }
}
