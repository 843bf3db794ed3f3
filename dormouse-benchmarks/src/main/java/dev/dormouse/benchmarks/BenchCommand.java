package dev.dormouse.benchmarks;

import dev.dormouse.benchmarks.database.DatabaseServer;
import dev.dormouse.benchmarks.database.PostgresServer;
import dev.dormouse.benchmarks.database.SqliteServer;
import dev.dormouse.benchmarks.jmh.Microbenchmarks;
import dev.dormouse.benchmarks.profile.Profile;
import dev.dormouse.benchmarks.report.JsonFile;
import dev.dormouse.benchmarks.report.MachineInfo;
import dev.dormouse.benchmarks.report.MarkdownTable;
import dev.dormouse.benchmarks.report.RatioChart;
import dev.dormouse.benchmarks.scenario.BenchmarkScale;
import dev.dormouse.benchmarks.scenario.Rounds;
import dev.dormouse.benchmarks.scenario.Scenario;
import dev.dormouse.benchmarks.scenario.Throughput;
import dev.dormouse.benchmarks.system.Contender;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that measures Dormouse and its peers. */
@Command(
        name = "dormouse bench",
        description = {
            "Measures Dormouse and its peers in turns, on one PostgreSQL that is as durable as in production, and prints how "
                    + "they compare: the median of all rounds, the smallest and the largest, and how many times better "
                    + "Dormouse was than each, round by round. Below 1 the peer was better.",
            "",
            "A second table shows what each operation uses: processor time of PostgreSQL (NAME-server-cpu) if it is started "
                    + "for this, processor time of Java with the load generator (NAME-java-cpu), and bytes of WAL (NAME-wal). "
                    + "Other programs on the machine disturb these figures less than rates and times.",
            ""
        },
        footer = {
            "",
            "The full run takes hours: 1,000,000 sleeping workflows, 1,000,000 under a held snapshot, longer windows. --quick "
                    + "takes under 20 minutes on 2 cores: 50,000 under the snapshot, no sleepers1m, windows of 3 s.",
            "Exit codes: 0 measured, 1 something failed, 2 wrong usage."
        })
final class BenchCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("UnusedVariable") // picocli wants a field
    private boolean help;

    @Option(
            names = "--against",
            split = ",",
            paramLabel = "PEER",
            description = "Only these peers: dbos, db-scheduler, jobrunr; or none. Default: all of them.")
    private @Nullable List<String> against;

    @Option(
            names = "--store",
            defaultValue = Selection.POSTGRES,
            paramLabel = "STORE",
            description = "postgres (default), or sqlite, on which Dormouse is measured alone.")
    private String store = Selection.POSTGRES;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "A PostgreSQL that is there, jdbc:postgresql://HOST/DATABASE?user=ROLE, instead of one that is "
                            + "started for this. The role must be allowed to create databases.")
    private @Nullable String url;

    @Option(names = "--quick", description = "Less of everything.")
    private boolean quick;

    @Option(
            names = "--scenario",
            split = ",",
            paramLabel = "NAME",
            description = "Only these, such as wf1@1000,drain20k,lateness.")
    private @Nullable List<String> scenarios;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "How often each takes its turn in what is not measured once. Default: 5; with --quick 3, and 2 "
                            + "where a turn is long.")
    private @Nullable Integer rounds;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the figures as JSON.")
    private @Nullable Path json;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draw the ratios.")
    private @Nullable Path svg;

    @Option(
            names = "--profile",
            paramLabel = "FILE",
            description = "Instead, draw where the processor time of Dormouse goes in the first --scenario (wf1@1000).")
    private @Nullable Path profile;

    @Option(
            names = "--jmh",
            description = "Instead, measure the alarm clock and the replay of a long history with JMH.")
    private boolean jmh;

    @Override
    public Integer call() throws Exception {
        if (jmh) {
            Microbenchmarks.run(quick);
            return CommandLine.ExitCode.OK;
        }
        Selection selection = new Selection(store, url, against, scenarios, quick);
        Rounds turns = Selection.rounds(rounds, quick);
        Selection.checkFile("--json", json);
        Selection.checkFile("--svg", svg);
        Selection.checkFile("--profile", profile);
        try (DatabaseServer server = server(selection)) {
            if (profile != null) {
                return drawProfile(server, selection, profile);
            }
            Bench bench = new Bench(
                    server,
                    selection.contenders(),
                    quick ? BenchmarkScale.QUICK : BenchmarkScale.FULL,
                    new ProgressLog(commandLine().getErr()));
            introduce(server, selection.contenders(), turns);
            bench.warmUp();
            bench.run(selection.scenarios(), turns);
            return report(bench);
        }
    }

    private int drawProfile(DatabaseServer server, Selection selection, Path file) throws Exception {
        Scenario scenario = scenarios == null
                ? new Throughput(1, 1_000)
                : selection.scenarios().get(0);
        Profile profiling =
                new Profile(server, Contenders.dormouse(), quick ? BenchmarkScale.QUICK : BenchmarkScale.FULL);
        commandLine().getOut().println(profiling.draw(scenario, file));
        commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }

    private static DatabaseServer server(Selection selection) {
        if (selection.isSqlite()) {
            return SqliteServer.start();
        }
        return selection.url().map(PostgresServer::at).orElseGet(PostgresServer::start);
    }

    private void introduce(DatabaseServer server, List<Contender> contenders, Rounds turns) {
        PrintWriter out = commandLine().getOut();
        out.println(MachineInfo.describe());
        out.println(String.join(", ", server.description()));
        out.println("Up to " + Contender.CONNECTIONS + " connections and a new database for each turn. Rounds: "
                + turns.brief() + ", " + turns.lengthy() + " of long turns.");
        for (Contender contender : contenders) {
            out.println("- " + contender.name() + " " + contender.version() + ": " + contender.setting());
        }
        out.println();
        out.flush();
    }

    private int report(Bench bench) {
        PrintWriter out = commandLine().getOut();
        out.println(new MarkdownTable(bench.results(), Contenders.DORMOUSE).text());
        out.println();
        out.println("Load average at the end: " + MachineInfo.load() + ". " + early(bench));
        bench.problems().forEach(problem -> out.println("Failed: " + problem));
        out.flush();
        if (json != null) {
            JsonFile.write(json, bench.results());
        }
        if (svg != null) {
            RatioChart.write(svg, bench.results(), Contenders.DORMOUSE);
        }
        return bench.problems().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    /** Returns the counts of early firings, which must be zero. */
    private static String early(Bench bench) {
        return "Firings and wake-ups of Dormouse that were early: "
                + Math.round(bench.results().sum(Contenders.DORMOUSE, "-early")) + ".";
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return spec.commandLine();
    }
}
