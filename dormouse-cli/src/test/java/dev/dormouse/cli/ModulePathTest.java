package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is a module itself: it can use the API, and nothing below {@code dev.dormouse.internal}. */
@Tag("process")
@Timeout(60)
class ModulePathTest {
    /** A class of each module that the program needs. */
    private static final List<String> NEEDED = List.of(
            "dev.dormouse.Dormouse",
            "dev.dormouse.dag.Dags",
            "dev.dormouse.lint.WorkflowLint",
            "dev.dormouse.store.StoreProvider",
            "dev.dormouse.sqlite.SqliteStoreProvider",
            "dev.dormouse.testing.TestDormouse",
            "dev.dormouse.testing.sim.SimWorld",
            "com.fasterxml.jackson.annotation.JsonProperty",
            "org.jspecify.annotations.Nullable",
            "org.objectweb.asm.ClassReader",
            "org.slf4j.Logger",
            "org.sqlite.JDBC",
            "tools.jackson.core.JsonParser",
            "tools.jackson.databind.ObjectMapper");

    private static final String MODULE = """
            module app {
                requires dev.dormouse;
                requires dev.dormouse.dag;
                requires dev.dormouse.sqlite;
                requires dev.dormouse.testing;
                opens app to tools.jackson.databind;
            }
            """;

    /** Uses what depends on reflection: payloads, events, schedules, DAGs, saved histories, the simulation. */
    private static final String PROGRAM = """
            package app;

            import dev.dormouse.Dormouse;
            import dev.dormouse.DormouseBuilder;
            import dev.dormouse.dag.Dag;
            import dev.dormouse.dag.Dags;
            import dev.dormouse.lint.WorkflowLint;
            import dev.dormouse.schedule.Cron;
            import dev.dormouse.schedule.Schedule;
            import dev.dormouse.testing.TestDormouse;
            import dev.dormouse.testing.WorkflowHistories;
            import java.time.Duration;
            import java.time.ZoneOffset;
            import java.util.Map;

            public final class Main {
                record Order(String item, int number) {}

                private static DormouseBuilder orders(DormouseBuilder builder) {
                    return builder.workflow("order", Order.class, String.class, (ctx, order) -> {
                        String packed = ctx.step("pack", String.class, () -> order.number() + " " + order.item());
                        ctx.sleep(Duration.ofMillis(10));
                        ctx.waitForEvent("paid", Map.of("order", "ada"));
                        return packed;
                    });
                }

                private static String order(Dormouse dormouse) {
                    var run = dormouse.start("order", "ada", String.class, new Order("books", 3));
                    dormouse.publish("paid", Map.of("order", "ada"));
                    return run.result();
                }

                public static void main(String[] args) {
                    Dags dags = Dags.of(Dag.workflow("nap").sleep("short", Duration.ofMillis(10)).build());
                    try (Dormouse dormouse = orders(Dormouse.builder()).plugin(dags).store("sqlite::memory:").open()) {
                        System.out.println(order(dormouse));
                        WorkflowHistories.replay(WorkflowHistories.toJson(dormouse, "ada"), Main::orders);
                        dags.start("nap", Map.of()).result(Duration.ofSeconds(30));
                        dormouse.schedules().create("nightly", Schedule.of(Cron.of("0 3 * * *").inZone(ZoneOffset.UTC))
                                .withWorkflow("order", new Order("pens", 1)));
                        System.out.println(dormouse.schedules().get("nightly").isPresent());
                    }
                    try (TestDormouse simulated = TestDormouse.open(Main::orders)) {
                        System.out.println(order(simulated.dormouse()));
                    }
                    WorkflowLint.ofClasses(Main.class).check();
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void modularProgramRunsOnTheModulePath() throws Exception {
        assertThat(compile(PROGRAM)).isEmpty();
        Path output = folder.resolve("output.txt");
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath() + System.getProperty("path.separator") + folder.resolve("classes"),
                        "--module",
                        "app/app.Main")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        java.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        int code = java.start().waitFor();
        assertThat(Files.readAllLines(output)).containsSubsequence("3 books", "true", "3 books");
        assertThat(code).isZero();
    }

    @Test
    void internalPackageIsNotVisible() throws Exception {
        String internal = "import dev.dormouse.internal.embedded.NodeConfiguration;\n";
        assertThat(compile(PROGRAM.replace("import java.util.Map;\n", "import java.util.Map;\n" + internal)))
                .contains("package dev.dormouse.internal.embedded is not visible")
                .contains("1 error");
    }

    /** Returns what the compiler reports. */
    private String compile(String program) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("app"));
        Files.writeString(folder.resolve("module-info.java"), MODULE);
        Files.writeString(sources.resolve("Main.java"), program);
        StringWriter report = new StringWriter();
        PrintWriter writer = new PrintWriter(report);
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        writer,
                        writer,
                        "-d",
                        folder.resolve("classes").toString(),
                        "--module-path",
                        modulePath(),
                        folder.resolve("module-info.java").toString(),
                        sources.resolve("Main.java").toString());
        return report.toString();
    }

    private static String modulePath() {
        return NEEDED.stream()
                .map(ModulePathTest::location)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String location(String type) {
        try {
            URI place = Class.forName(type)
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
            return Path.of(place).toString();
        } catch (Exception missing) {
            throw new IllegalStateException("Expected " + type + " on the class path, but it is not there.", missing);
        }
    }
}
