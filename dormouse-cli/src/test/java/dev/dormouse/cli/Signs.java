package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;

/**
 * Assertions about the signs of failures that an operator sees. Every method waits until the sign is visible.
 *
 * @param log the log file of the process
 * @param url the URL of its server
 */
public record Signs(Path log, String url) {
    private static final Duration SOON = Duration.ofSeconds(90);

    /** A response of the process. */
    private record Response(int status, String text) {}

    /** Asserts that a log line contains all parts. */
    public Signs logs(String... parts) {
        soon("log", () -> line(String.join("\n", lines()), parts));
        return this;
    }

    /** Asserts that a line of the metrics contains all parts. */
    public Signs metric(String... parts) {
        soon("metric", () -> line(get("/metrics").text(), parts));
        return this;
    }

    /** Asserts that the API response for a path contains all parts. */
    public Signs api(String path, String... parts) {
        soon(path, () -> assertThat(get("/api/v1" + path).text()).contains(parts));
        return this;
    }

    /** Asserts that the output of a command contains all parts. */
    public Signs prints(List<String> command, String... parts) {
        String[] arguments = new String[command.size() + 2];
        command.toArray(arguments);
        arguments[command.size()] = "--url";
        arguments[command.size() + 1] = url;
        soon(command.toString(), () -> {
            CliResult ran = CliResult.run(arguments);
            assertThat(ran.out() + ran.err()).contains(parts);
        });
        return this;
    }

    /** Asserts that an output line of {@code doctor} contains all parts. */
    public Signs doctor(String... parts) {
        soon("doctor", () -> line(CliResult.run("doctor", "--url", url).out(), parts));
        return this;
    }

    /** Asserts that the process reports that it is ready. */
    public Signs ready() {
        soon("ready", () -> assertThat(get("/readyz").status()).isEqualTo(200));
        return this;
    }

    /** Asserts that the process is alive, but reports with this reason that it is not ready. */
    public Signs notReady(String reason) {
        soon("not ready", () -> {
            Response answer = get("/readyz");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains(reason);
        });
        soon("alive", () -> assertThat(get("/healthz").status()).isEqualTo(200));
        return this;
    }

    public List<String> lines() throws IOException {
        return Files.readAllLines(log);
    }

    /** Requests a page and ignores the response. */
    public void request(String path) {
        try {
            get(path);
        } catch (IOException noAnswer) {
            // ignored, like in a browser
        }
    }

    /** Opens an event stream, like a dashboard page, until the process ends. */
    public void listen() {
        Thread page = new Thread(() -> request("/api/v1/events/stream"), "page");
        page.setDaemon(true);
        page.start();
    }

    private Response get(String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url + path).toURL().openConnection();
        connection.setConnectTimeout(5_000);
        connection.setReadTimeout(10_000);
        if (path.endsWith("/stream")) {
            connection.setReadTimeout(0);
            connection.setRequestProperty("Accept", "text/event-stream");
        }
        int status = connection.getResponseCode();
        try (var in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Response(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static void line(String text, String... parts) {
        assertThat(text.lines())
                .as("a line with %s", List.of(parts))
                .anyMatch(line -> List.of(parts).stream().allMatch(line::contains));
    }

    /** Retries a check until it passes. A failed request counts as a failed check. */
    private static void soon(String what, ThrowingRunnable check) {
        await(what).atMost(SOON).pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
            try {
                check.run();
            } catch (IOException noAnswer) {
                throw new AssertionError("no response", noAnswer);
            }
        });
    }
}
