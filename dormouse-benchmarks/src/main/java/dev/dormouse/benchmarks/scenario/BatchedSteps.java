package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.DatabaseStatistics;
import dev.dormouse.benchmarks.load.ClosedLoopLoad;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.BatchedEngine;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.PlainCalls;
import java.util.List;

/** Ten steps with batched durability, one workflow at a time, compared with the same ten calls without an engine. */
public record BatchedSteps() implements Scenario {
    private static final String NAME = "batched10";
    private static final int CALLS = 1_000_000;

    @Override
    public List<String> names() {
        return Lists.joined(
                List.of(NAME, NAME + "-bare", NAME + "-commits", NAME + "-statements"), ResourceUsage.names(NAME));
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
            ClosedLoopLoad.Outcome outcome = turn.load(1, engine::run);
            double total = outcome.total();
            return Lists.joined(
                    List.of(
                            new Reading(NAME, Unit.MILLIS, outcome.millis().at(50)),
                            new Reading(NAME + "-bare", Unit.MICROS, bare()),
                            new Reading(NAME + "-statements", Unit.COUNT, (insight.statements() - statements) / total),
                            new Reading(NAME + "-commits", Unit.COUNT, (insight.commits() - commits) / total)),
                    outcome.perOperation(NAME));
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
