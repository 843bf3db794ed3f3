package dev.dormouse.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.cli.ApprovalWorkflows;
import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default log of {@code dev} and {@code server} in separate processes. */
@Tag("process")
@Timeout(60)
class ServerLogTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"dev", "server"})
    void everyChangeIsAudited(String command) throws Exception {
        Path file = folder.resolve("shop.db");
        Path log = folder.resolve("log.txt");
        try (ServerProcess serving = ServerProcess.start(
                log,
                command,
                "--port",
                "0",
                "--store",
                "sqlite:" + file,
                "--module",
                ApprovalWorkflows.class.getName())) {
            String url = serving.url();
            assertThat(CliResult.run("workflow", "start", "greeting", "\"Ada\"", "--id", "ada", "--url", url)
                            .code())
                    .isZero();
            assertThat(refusedLogin(url)).isEqualTo(401);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(Files.readString(log))
                            .contains("INFO  audit: who=local role=admin what=\"POST /workflows\" id=ada outcome=201")
                            .contains("INFO  audit: who=unknown from=127.0.0.1 what=\"POST /login\" outcome=401")
                            .doesNotContain("jetty")
                            .doesNotContain("HikariPool"));
            serving.stop();
        }
    }

    private static int refusedLogin(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/login"))
                .header("X-Dormouse-Csrf", "1")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"wrong\"}"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
