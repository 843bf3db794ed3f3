package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.NodeProcess;
import dev.dormouse.benchmarks.system.NodeProcesses;
import java.time.Duration;
import java.util.List;

/**
 * Two nodes, one of which is killed with all its runs: the time until all runs resume, and the time that this may take.
 */
public record Takeover(int runs) implements Scenario {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public List<String> names() {
        return List.of("takeover", "takeover-bound");
    }

    @Override
    public boolean suits(Contender contender) {
        return contender.can(NodeProcesses.class);
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
        int number = turn.effort().atMost(runs);
        try (NodeProcesses nodes = turn.open(NodeProcesses.class)) {
            NodeProcess doomed = nodes.launch();
            NodeProcess other = nodes.launch();
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
