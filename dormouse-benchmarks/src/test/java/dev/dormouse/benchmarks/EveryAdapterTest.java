package dev.dormouse.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.database.DatabaseServer;
import dev.dormouse.benchmarks.database.PostgresServer;
import dev.dormouse.benchmarks.database.SqliteServer;
import dev.dormouse.benchmarks.load.ParallelThreads;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.scenario.BatchedSteps;
import dev.dormouse.benchmarks.scenario.BenchmarkScale;
import dev.dormouse.benchmarks.scenario.HeldSnapshot;
import dev.dormouse.benchmarks.scenario.OverdueTimers;
import dev.dormouse.benchmarks.scenario.Rounds;
import dev.dormouse.benchmarks.scenario.Scenario;
import dev.dormouse.benchmarks.scenario.SeveralNodes;
import dev.dormouse.benchmarks.scenario.Signals;
import dev.dormouse.benchmarks.scenario.SleepLateness;
import dev.dormouse.benchmarks.scenario.Throughput;
import dev.dormouse.benchmarks.scenario.TimerBurst;
import dev.dormouse.benchmarks.scenario.Turn;
import dev.dormouse.benchmarks.scenario.UpdateLatency;
import dev.dormouse.benchmarks.system.Contender;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Executes every scenario of every system with twenty items, so that no adapter breaks unnoticed. */
class EveryAdapterTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int AT_A_TIME = 8;
    private static final BenchmarkScale TINY = new BenchmarkScale(SHORT, SHORT, SHORT, 20, 20);

    private static final List<Scenario> SCENARIOS = List.of(
            new Throughput(1, 20),
            new Throughput(10, 20),
            new SleepLateness(20, SHORT),
            new TimerBurst(20_000),
            new OverdueTimers(100_000),
            new UpdateLatency(),
            new Signals(4),
            new BatchedSteps(),
            new HeldSnapshot(20),
            new SeveralNodes(2, 20));

    /** One system in one scenario. */
    private record Part(Scenario scenario, Contender contender) {}

    @Test
    void everySystemExecutesItsScenariosOnPostgres() throws Exception {
        List<Part> parts = parts();
        Map<Part, List<Reading>> played = new ConcurrentHashMap<>();
        try (DatabaseServer server = PostgresServer.start()) {
            assertThat(server.description()).contains("fsync = on", "synchronous_commit = on", "full_page_writes = on");
            ParallelThreads.each(AT_A_TIME, parts.size(), i -> {
                Part part = parts.get(i);
                try (BenchDatabase database = server.newDatabase()) {
                    played.put(part, part.scenario().play(new Turn(part.contender(), database, TINY)));
                }
            });
        }
        assertThat(played.keySet()).containsExactlyInAnyOrderElementsOf(parts);
        assertThat(played).allSatisfy((part, readings) -> {
            assertThat(readings).isNotEmpty();
            assertThat(readings)
                    .allMatch(
                            reading -> reading.name().startsWith(part.scenario().name()) || isLatency(reading));
            assertThat(readings.stream()
                            .filter(reading -> reading.unit().isPerOperation()
                                    && Double.isFinite(reading.value())
                                    && reading.value() >= 0)
                            .map(Reading::name))
                    .containsExactlyElementsOf(namesPerOperation(part.scenario()));
        });
    }

    /** Returns the names of the figures per operation; none if the operations of a scenario are not counted. */
    private static List<String> namesPerOperation(Scenario scenario) {
        return ResourceUsage.names(scenario.name()).stream()
                .filter(scenario.names()::contains)
                .toList();
    }

    private static boolean isLatency(Reading reading) {
        return reading.name().startsWith("latency1");
    }

    private static List<Part> parts() {
        List<Contender> contenders = new ArrayList<>(List.of(Contenders.dormouse(), Contenders.limit()));
        contenders.addAll(Contenders.peers());
        List<Part> parts = new ArrayList<>();
        for (Scenario scenario : SCENARIOS) {
            contenders.stream().filter(scenario::suits).forEach(contender -> parts.add(new Part(scenario, contender)));
        }
        return parts;
    }

    @Test
    void benchAlternatesOnSqlite() {
        StringWriter said = new StringWriter();
        try (DatabaseServer server = SqliteServer.start()) {
            Bench bench =
                    new Bench(server, List.of(Contenders.dormouse()), TINY, new ProgressLog(new PrintWriter(said)));
            bench.warmUp();
            bench.run(List.of(new Throughput(1, 1)), new Rounds(2, 1));
            assertThat(bench.problems()).isEmpty();
            assertThat(bench.results().scenarios())
                    .containsExactly("wf1@1", "latency1", "latency1-p99", "wf1@1-java-cpu");
            assertThat(bench.results().cell("wf1@1", "dormouse"))
                    .hasValueSatisfying(cell -> assertThat(cell.runs()).isEqualTo(2));
        }
        assertThat(said.toString()).contains("warm-up: wf1@1000, dormouse", "wf1@1, round 2, dormouse: wf1@1 ");
    }
}
