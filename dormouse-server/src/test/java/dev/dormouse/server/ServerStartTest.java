package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way from a builder to an answer. */
class ServerStartTest {
    @TempDir
    Path folder;

    @Test
    void serverAnswersFirstQuestions() throws Exception {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = DormouseServer.builder().dormouse(shop.dormouse).port(0).start()) {
            shop.dormouse.start("echo", "e 1/x", String.class, "hello");
            shop.dormouse.start("sleeper", "s-1", String.class, 5);
            for (String path : new String[] {
                "/api/v1/info", "/api/v1/overview", "/api/v1/workflows", "/api/v1/workflows/e%201%2Fx", "/api/v1/nodes",
                "/api/v1/workflows/s-1", "/api/v1/workflows/s-1/history", "/api/v1/workflows/s-1/export", "/api/v1/timers?order=due", "/api/v1/schedules", "/healthz", "/readyz", "/nothing",
                "/api/v1/throughput", "/api/v1/timers/histogram"
            }) {
                HttpResponse<String> response = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
                                HttpResponse.BodyHandlers.ofString());
                System.out.println(path + " " + response.statusCode() + " " + response.body());
                assertThat(response.statusCode()).isLessThan(500);
            }
        }
    }
}
