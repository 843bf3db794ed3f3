package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Node;
import dev.dormouse.benchmarks.system.Nodes;
import java.time.Duration;
import java.util.List;

/** Two nodes, of which one is killed with all its runs: how long until all go on, and how long that may take. */
public record Takeover(int runs) implements Scenario {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public List<String> names() {
        return List.of("takeover", "takeover-bound");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(Nodes.class);
    }

    @Override
    public boolean needsServer() {
        return true;
    }

    @Override
    public Length length() {
        return Length.ONCE;
    }

    @Override
    public List<Reading> play(Turn turn) throws Exception {
        int number = turn.effort().atMost(runs);
        try (Nodes nodes = turn.open(Nodes.class)) {
            Node doomed = nodes.launch();
            Node other = nodes.launch();
            doomed.hold(number);
            long killed = System.nanoTime();
            doomed.kill();
            while (other.resumed() < number) {
                checkPatience(killed);
                Pause.of(Duration.ofMillis(10));
            }
            double seconds = (System.nanoTime() - killed) / 1e9;
            return List.of(
                    new Reading("takeover", Unit.SECONDS, seconds),
                    new Reading(
                            "takeover-bound", Unit.SECONDS, nodes.leasePeriod().toSeconds() + 1));
        }
    }

    private static void checkPatience(long since) {
        if (System.nanoTime() - since > PATIENCE.toNanos()) {
            throw new IllegalStateException("Expected all runs to go on, but some do not.");
        }
    }
}
