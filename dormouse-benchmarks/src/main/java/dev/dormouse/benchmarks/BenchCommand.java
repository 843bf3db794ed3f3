package dev.dormouse.benchmarks;

import dev.dormouse.benchmarks.database.PostgresServer;
import dev.dormouse.benchmarks.database.Server;
import dev.dormouse.benchmarks.database.SqliteServer;
import dev.dormouse.benchmarks.report.Machine;
import dev.dormouse.benchmarks.report.Table;
import dev.dormouse.benchmarks.scenario.Effort;
import dev.dormouse.benchmarks.scenario.Scenario;
import dev.dormouse.benchmarks.scenario.Scenarios;
import dev.dormouse.benchmarks.system.Contender;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures Dormouse and its peers. */
@Command(
        name = "dormouse bench",
        mixinStandardHelpOptions = true,
        description = "Measures Dormouse and its peers in turns, on one PostgreSQL, and prints how they compare.")
final class BenchCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(names = "--against", split = ",")
    private @Nullable List<String> against;

    @Option(names = "--store", defaultValue = "postgres")
    private String store = "postgres";

    @Option(names = "--url")
    private @Nullable String url;

    @Option(names = "--quick")
    private boolean quick;

    @Option(names = "--scenario", split = ",")
    private @Nullable List<String> asked;

    @Option(names = "--rounds", defaultValue = "3")
    private int rounds = 3;

    @Override
    public Integer call() {
        PrintWriter out = commandLine().getOut();
        List<Contender> contenders = contenders();
        List<Scenario> scenarios = scenarios();
        try (Server server = server()) {
            out.println(Machine.describe());
            server.description().forEach(out::println);
            contenders.forEach(contender ->
                    out.println(contender.name() + " " + contender.version() + ": " + contender.setting()));
            out.flush();
            Bench bench = new Bench(
                    server,
                    contenders,
                    quick ? Effort.QUICK : Effort.FULL,
                    new Progress(commandLine().getErr()));
            bench.warmUp();
            bench.run(scenarios, rounds);
            out.println(new Table(bench.results(), Contenders.DORMOUSE).text());
            bench.problems().forEach(out::println);
            out.flush();
            return bench.problems().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private Server server() {
        if (store.equals("sqlite")) {
            return SqliteServer.start();
        }
        return url == null ? PostgresServer.start() : PostgresServer.at(url);
    }

    private List<Contender> contenders() {
        List<Contender> all = new ArrayList<>(List.of(Contenders.dormouse()));
        if (store.equals("sqlite")) {
            return all;
        }
        for (Contender peer : Contenders.peers()) {
            if (against == null || against.contains(peer.name())) {
                all.add(peer);
            }
        }
        all.add(Contenders.limit());
        return all;
    }

    private List<Scenario> scenarios() {
        List<Scenario> chosen = new ArrayList<>();
        for (Scenario scenario : Scenarios.all()) {
            if (asked == null || scenario.names().stream().anyMatch(asked::contains)) {
                chosen.add(scenario);
            }
        }
        return chosen;
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return spec.commandLine();
    }
}
