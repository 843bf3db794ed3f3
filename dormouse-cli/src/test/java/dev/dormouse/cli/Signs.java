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
 * The signs of failures that an operator of a process sees. Every method waits until the sign is there.
 *
 * @param log the file with all that the process logs
 * @param url where it answers
 */
public record Signs(Path log, String url) {
    private static final Duration SOON = Duration.ofSeconds(90);

    /** A response of the process. */
    private record Response(int status, String text) {}

    /** A line of the log has all these parts. */
    public Signs logs(String... parts) {
        soon("log", () -> line(String.join("\n", lines()), parts));
        return this;
    }

    /** A line of the metrics has all these parts. */
    public Signs metric(String... parts) {
        soon("metric", () -> line(get("/metrics").text(), parts));
        return this;
    }

    /** The dashboard is answered all these parts at a path of the API. */
    public Signs api(String path, String... parts) {
        soon(path, () -> assertThat(get("/api/v1" + path).text()).contains(parts));
        return this;
    }

    /** The command line prints all these parts. */
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

    /** A line of what {@code doctor} prints has all these parts. */
    public Signs doctor(String... parts) {
        soon("doctor", () -> line(CliResult.run("doctor", "--url", url).out(), parts));
        return this;
    }

    /** The process says that it is ready. */
    public Signs ready() {
        soon("ready", () -> assertThat(get("/readyz").status()).isEqualTo(200));
        return this;
    }

    /** The process lives, but says that it is not ready, and why. */
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

    /** Asks for a page, whatever the answer is. */
    public void look(String path) {
        try {
            get(path);
        } catch (IOException noAnswer) {
            // as in a browser
        }
    }

    /** Opens a stream of changes, as a page of the dashboard does, until the process ends. */
    public void listen() {
        Thread page = new Thread(() -> look("/api/v1/events/stream"), "page");
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

    /** No answer in time is as wrong as a wrong one. */
    private static void soon(String what, ThrowingRunnable check) {
        await(what).atMost(SOON).pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
            try {
                check.run();
            } catch (IOException noAnswer) {
                throw new AssertionError("no answer", noAnswer);
            }
        });
    }
}
