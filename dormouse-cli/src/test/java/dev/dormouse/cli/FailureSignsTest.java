package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator sees of things that fail, in a process of its own: a line of the log, a metric, what the dashboard
 * asks for, and what {@code doctor} finds. The table in docs/observability.md says the same.
 */
@Timeout(120)
class FailureSignsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Path log;
    private String url;

    @Test
    void whateverFailsIsSeen() throws Exception {
        log = folder.resolve("log.txt");
        Process process = start(
                "dev",
                "--port",
                "0",
                "--store",
                "sqlite:" + folder.resolve("a.db"),
                "--module",
                Troubles.class.getName());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            url = url(out);
            for (String type : List.of("charging", "failing", "misspelling", "queueing")) {
                Ran started = Ran.of("workflow", "start", type, "\"x\"", "--id", type, "--url", url);
                assertThat(started.code()).as(started.err()).isZero();
            }
            failingStep();
            failedRun();
            stuckRun();
            failingTimer();
            unservedQueue();
        } finally {
            process.destroyForcibly();
        }
    }

    private void failingStep() throws IOException {
        logs("WARN", "Attempt 1 of step 'charge' in run", "workflow id 'charging'", "The bank does not answer.");
        logs("WARN", "Attempt 2 of step 'charge'");
        shows(page("/metrics"), "dormouse_steps_seconds_count{", "step=\"charge\"");
        assertThat(Ran.of("workflow", "show", "charging", "--url", url).out()).contains("The bank does not answer.");
    }

    private void failedRun() throws IOException {
        logs("WARN", "of workflow id 'failing' (type 'failing') has failed");
        shows(page("/metrics"), "dormouse_runs_closed_seconds_count{", "status=\"failed\"");
        assertThat(Ran.of("workflow", "list", "--status", "failed", "--url", url)
                        .out())
                .contains("failing");
    }

    private void stuckRun() {
        logs("WARN", "of workflow id 'misspelling'", "grteeting", "[DM1001]");
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(Ran.of("doctor", "--url", url).out()).contains("1 runs are stuck");
            assertThat(page("/metrics")).contains("dormouse_runs_stuck 1.0");
        });
        assertThat(Ran.of("workflow", "show", "misspelling", "--url", url).out())
                .contains("DM1001");
    }

    private void failingTimer() {
        logs("WARN", "Attempt 1 of handler 'remind' for timer 'remind-1'", "No mail server.");
        assertThat(Ran.of("timer", "list", "--url", url).out()).contains("remind-1");
    }

    private void unservedQueue() {
        logs("WARN", "No living node executes workflow type 'failing' from queue 'nobody'", "'queued'");
        assertThat(Ran.of("doctor", "--url", url).out()).contains("No living node executes", "queue 'nobody'");
        assertThat(Ran.of("workflow", "show", "queued", "--url", url).out()).contains("No living node executes");
    }

    /** Waits for a line of the log with all these parts. */
    private void logs(String... parts) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Files.readAllLines(log))
                        .as("a line with %s", List.of(parts))
                        .anyMatch(line -> List.of(parts).stream().allMatch(line::contains)));
    }

    private static void shows(String page, String... parts) {
        assertThat(page.lines())
                .as("a line with %s", List.of(parts))
                .anyMatch(line -> List.of(parts).stream().allMatch(line::contains));
    }

    private String page(String path) throws IOException {
        try (InputStream in = URI.create(url + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String url(BufferedReader out) throws IOException {
        String line = out.readLine();
        while (line != null && !line.startsWith("Dormouse is at ")) {
            line = out.readLine();
        }
        assertThat(line).isNotNull();
        return line.replaceAll("Dormouse is at (http://[0-9.:]*[0-9])\\. .*", "$1");
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(log.toFile()).start();
    }
}
