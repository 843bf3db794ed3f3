package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.database.DatabaseStatistics;
import dev.dormouse.benchmarks.load.Pause;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.Unit;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.NodeProcess;
import dev.dormouse.benchmarks.system.NodeProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of very many sleeping workflows for the process that started them, and the lateness of timers among them.
 */
public record SleepingWorkflows(int sleepers) implements Scenario {
    private static final int WARM_UP = 2_000;
    private static final int TIMERS = 1_000;
    private static final Duration OVER = Duration.ofSeconds(10);

    @Override
    public List<String> names() {
        return List.of(
                sleepers < 1_000_000 ? "sleepers" + sleepers / 1_000 + "k" : "sleepers" + sleepers / 1_000_000 + "m");
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
        int number = turn.effort().atMost(sleepers);
        DatabaseStatistics insight = turn.insight();
        try (NodeProcesses nodes = turn.open(NodeProcesses.class)) {
            NodeProcess node = nodes.launch();
            node.sleep(turn.effort().atMost(WARM_UP));
            NodeProcess.Usage before = node.usage();
            long bytes = insight.bytes();
            node.sleep(number);
            List<Reading> readings = new ArrayList<>();
            readings.add(reading("-bytes-per-run", Unit.BYTES, (insight.bytes() - bytes) / (double) number));
            Pause.of(nodes.leasePeriod().plusSeconds(2)); // until the alarms of expired leases are forgotten
            readings.add(reading("-statements-per-minute", Unit.PER_MINUTE, idle(insight, turn.effort())));
            readings.addAll(usage(before, node.usage(), number));
            NodeProcess.Lateness late = node.lateness(turn.effort().atMost(TIMERS), OVER);
            readings.addAll(
                    LatenessReadings.of(name() + "-lateness", late.p50(), late.p99(), late.max(), late.early()));
            return readings;
        }
    }

    private List<Reading> usage(NodeProcess.Usage before, NodeProcess.Usage after, int number) {
        return List.of(
                reading("-heap", Unit.MEGABYTES, after.heap() / 1e6),
                reading("-heap-per-run", Unit.BYTES, (after.heap() - before.heap()) / (double) number),
                reading("-rss", Unit.MEGABYTES, after.rss() / 1e6),
                reading("-threads", Unit.COUNT, after.threads()));
    }

    private static double idle(DatabaseStatistics insight, BenchmarkScale effort) throws InterruptedException {
        long before = insight.statements();
        Pause.of(effort.idle());
        return (insight.statements() - before) * 60_000.0 / effort.idle().toMillis();
    }

    private Reading reading(String suffix, Unit unit, double value) {
        return new Reading(name() + suffix, unit, value);
    }
}
