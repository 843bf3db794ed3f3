package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The signs of failures that an operator sees, in a process of its own: a line of the log, a metric, what the dashboard
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
        try (Serving serving = Serving.start(
                log,
                "dev",
                "--port",
                "0",
                "--store",
                "sqlite:" + folder.resolve("a.db"),
                "--module",
                Troubles.class.getName())) {
            url = serving.url();
            for (String type : List.of("charging", "failing", "misspelling", "queueing")) {
                Ran started = Ran.of("workflow", "start", type, "\"x\"", "--id", type, "--url", url);
                assertThat(started.code()).as(started.err()).isZero();
            }
            failingStep();
            failedRun();
            stuckRun();
            failingTimer();
            unservedQueue();
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
}
