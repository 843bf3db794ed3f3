package dev.dormouse.benchmarks;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.database.DatabaseServer;
import dev.dormouse.benchmarks.measure.BenchResults;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.report.FigureFormat;
import dev.dormouse.benchmarks.scenario.BenchmarkScale;
import dev.dormouse.benchmarks.scenario.Rounds;
import dev.dormouse.benchmarks.scenario.Scenario;
import dev.dormouse.benchmarks.scenario.Throughput;
import dev.dormouse.benchmarks.scenario.TimerBurst;
import dev.dormouse.benchmarks.scenario.Turn;
import dev.dormouse.benchmarks.system.Contender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The benchmark: every scenario in several rounds, in which each system takes its turn on its own database. The first
 * system changes from round to round, so that no system always comes after the same one. A turn that fails is reported
 * and left out.
 */
final class Bench {
    private final DatabaseServer server;
    private final List<Contender> contenders;
    private final BenchmarkScale effort;
    private final ProgressLog progress;
    private final BenchResults results = new BenchResults();
    private final List<String> problems = new ArrayList<>();

    Bench(DatabaseServer server, List<Contender> contenders, BenchmarkScale effort, ProgressLog progress) {
        this.server = server;
        this.contenders = contenders;
        this.effort = effort;
        this.progress = progress;
    }

    /** Loads and compiles the code of all systems, for the same time each. */
    void warmUp() {
        for (Scenario scenario : List.of(new Throughput(1, 1_000), new Throughput(10, 100), new TimerBurst(5_000))) {
            for (Contender contender : contenders) {
                if (scenario.suits(contender)) {
                    progress.say("warm-up: %s, %s", scenario.name(), contender.name());
                    play(scenario, contender, effort.forWarmUp());
                }
            }
        }
    }

    void run(List<Scenario> scenarios, Rounds rounds) {
        for (Scenario scenario : scenarios) {
            List<Contender> able =
                    contenders.stream().filter(scenario::suits).collect(Collectors.toCollection(ArrayList::new));
            for (int round = 1; round <= rounds.of(scenario.length()); round++) {
                for (Contender contender : able) {
                    keep(scenario, round, contender);
                }
                Collections.rotate(able, -1);
            }
        }
    }

    private void keep(Scenario scenario, int round, Contender contender) {
        List<Reading> readings = play(scenario, contender, effort);
        readings.forEach(reading -> results.add(round, contender.name(), reading));
        progress.say(
                "%s, round %d, %s: %s",
                scenario.name(),
                round,
                contender.name(),
                readings.stream().map(Bench::text).collect(Collectors.joining(", ")));
    }

    private static String text(Reading reading) {
        return reading.name() + " " + FigureFormat.text(reading.value()) + " "
                + reading.unit().text();
    }

    private List<Reading> play(Scenario scenario, Contender contender, BenchmarkScale howMuch) {
        try (BenchDatabase database = server.newDatabase()) {
            return scenario.play(new Turn(contender, database, howMuch));
        } catch (InterruptedException e) {
            throw new IllegalStateException("Expected to go on, but was interrupted.", e);
        } catch (Exception e) {
            problems.add(scenario.name() + ", " + contender.name() + ": " + e.getMessage());
            return List.of();
        }
    }

    BenchResults results() {
        return results;
    }

    /** Returns the turns that failed. */
    List<String> problems() {
        return problems;
    }
}
