package dev.dormouse.benchmarks.profile;

import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.database.DatabaseServer;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import dev.dormouse.benchmarks.scenario.BenchmarkScale;
import dev.dormouse.benchmarks.scenario.Scenario;
import dev.dormouse.benchmarks.scenario.Turn;
import dev.dormouse.benchmarks.system.Contender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A program that runs a scenario until it is warm, and once more under a {@link Sampler}. */
public final class Profile {
    private static final int WARM_UPS = 2;

    private final DatabaseServer server;
    private final Contender contender;
    private final BenchmarkScale effort;

    public Profile(DatabaseServer server, Contender contender, BenchmarkScale effort) {
        this.server = server;
        this.contender = contender;
        this.effort = effort;
    }

    /** Draws the flame graph. Returns a summary in one sentence. */
    public String draw(Scenario scenario, Path file) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            try (BenchDatabase database = server.newDatabase()) {
                scenario.play(new Turn(contender, database, effort));
            }
        }
        try (BenchDatabase database = server.newDatabase()) {
            ResourceUsage before = ResourceUsage.now(database.insight());
            Sampler sampler = Sampler.start();
            scenario.play(new Turn(contender, database, effort));
            String stacks = sampler.stop();
            String sentence =
                    sentence(scenario, ResourceUsage.now(database.insight()).since(before));
            write(file, scenario, stacks, sentence);
            return sentence;
        }
    }

    private void write(Path file, Scenario scenario, String stacks, String sentence) throws IOException {
        String title = contender.name() + ", " + scenario.name() + ": where the processor time of Java goes";
        Files.writeString(file, new FlameGraphSvg(FlameNode.of(stacks, Frames::view), title, sentence).draw());
    }

    private static String sentence(Scenario scenario, ResourceUsage used) {
        return String.format(
                Locale.ROOT,
                "While %s was played, Java took %.1f s of processor time%s.",
                scenario.name(),
                used.java().toMillis() / 1e3,
                used.server()
                        .map(time -> String.format(Locale.ROOT, ", PostgreSQL %.1f s", time.toMillis() / 1e3))
                        .orElse(""));
    }
}
