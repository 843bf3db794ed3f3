package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.Insight;
import dev.dormouse.benchmarks.load.Load;
import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.measure.Percentiles;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Batched;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.PlainCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ten steps that need not be kept one by one, one workflow at a time, beside the same ten calls without an engine. */
public record BatchedSteps() implements Scenario {
    private static final Duration COUNTED = Duration.ofMillis(1_500);
    private static final int CALLS = 10_000;

    @Override
    public List<String> names() {
        return List.of("batched10", "batched10-bare", "batched10-commits", "batched10-statements");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(Batched.class);
    }

    @Override
    public boolean needsServer() {
        return true;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        Insight insight = turn.insight();
        try (Batched engine = turn.open(Batched.class)) {
            Pause.of(COUNTED);
            long statements = insight.statements();
            long commits = insight.commits();
            Load.Outcome outcome = new Load(1, engine::run)
                    .run(turn.effort().warmUp(), turn.effort().window());
            Pause.of(COUNTED); // until the server has counted
            double total = outcome.total();
            return List.of(
                    new Reading("batched10", Unit.MILLIS, outcome.millis().at(50)),
                    new Reading("batched10-bare", Unit.MILLIS, bare()),
                    new Reading("batched10-statements", Unit.COUNT, (insight.statements() - statements) / total),
                    new Reading("batched10-commits", Unit.COUNT, (insight.commits() - commits) / total));
        }
    }

    private static double bare() {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            long began = System.nanoTime();
            PlainCalls.ten();
            millis.add((System.nanoTime() - began) / 1e6);
        }
        return new Percentiles(millis).at(50);
    }
}
