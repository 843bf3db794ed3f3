package dev.dormouse.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.cli.ApprovalWorkflows;
import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.Main;
import dev.dormouse.inspect.ListOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code dormouse dev} in a separate process. */
@Tag("process")
@Timeout(60)
class DevCommandTest {
    @TempDir
    private Path folder;

    @Test
    void workflowsOfAModuleRunUntilTheProcessIsStopped() throws Exception {
        Path file = folder.resolve("dev.db");
        Process process =
                start("dev", "--port", "0", "--store", "sqlite:" + file, "--module", ApprovalWorkflows.class.getName());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).startsWith("The store is sqlite:");
            String line = out.readLine();
            assertThat(line).startsWith("Dormouse is at http://127.0.0.1:");
            String url = line.replaceAll("Dormouse is at (http://[0-9.:]*[0-9])\\. .*", "$1");
            assertThat(CliResult.run("workflow", "run", "greeting", "\"Ada\"", "--url", url)
                            .out())
                    .isEqualTo("\"Hello, Ada!\"\n");
            assertThat(page(url + "/metrics")).contains("dormouse_runs_started_total{type=\"greeting\"} 1.0");
            assertThat(CliResult.run(
                                    "workflow",
                                    "start",
                                    "greeting",
                                    "\"Bo\"",
                                    "--id",
                                    "bo",
                                    "--store",
                                    "sqlite:" + file)
                            .err())
                    .isEmpty();
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(folder.resolve("dev.db.server")).doesNotExist();
        assertThat(CliResult.run("workflow", "list", "bo", "--store", "sqlite:" + file)
                        .out())
                .contains("bo");
    }

    @Test
    void secondProcessFailsBecauseTheStoreIsInUse() throws Exception {
        Path file = folder.resolve("dev.db");
        try (Dormouse first = Dormouse.builder().store("sqlite:" + file).open()) {
            assertThat(first.list(ListOptions.ALL).runs()).isEmpty();
            CliResult second = CliResult.run("dev", "--port", "0", "--store", "sqlite:" + file);
            assertThat(second.code()).isEqualTo(4);
            assertThat(second.err()).contains("[DM2004]").doesNotContain("\tat ");
        }
    }

    @Test
    void portInUseIsReportedInOneSentence() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CliResult ran = CliResult.run(
                    "dev", "--port", "" + taken.getLocalPort(), "--store", "sqlite:" + folder.resolve("dev.db"));
            assertThat(ran.code()).isEqualTo(4);
            assertThat(ran.err()).contains("[DM6013]").hasLineCount(1);
        }
    }

    private static String page(String url) throws IOException {
        try (InputStream in = URI.create(url).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
