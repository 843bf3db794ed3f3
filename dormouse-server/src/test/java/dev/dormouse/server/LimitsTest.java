package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits on size and rate, and requests that are not valid HTTP. */
class LimitsTest {
    @TempDir
    static Path folder;

    private static Shop shop;

    @BeforeAll
    static void open() {
        shop = new Shop(folder.resolve("shop.db"));
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static DormouseServer server(ServerSettings settings) {
        return DormouseServer.builder()
                .dormouse(shop.dormouse)
                .settings(settings.port(0))
                .start();
    }

    @Test
    void largeBodiesAreRefused() {
        try (DormouseServer server = server(ServerSettings.DEFAULT.maxRequestBytes(1_000))) {
            ApiClient web = new ApiClient(server.url());
            String large = "{\"type\":\"echo\",\"input\":\"" + "x".repeat(1_000) + "\"}";
            ApiClient.Response refused = web.post("/api/v1/workflows", large);
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.text("/error/name")).isEqualTo("REQUEST_TOO_LARGE");
            String chunked = new RawHttp(server.port())
                    .send(
                            "",
                            "POST /api/v1/workflows HTTP/1.1",
                            "Host: localhost",
                            "X-Dormouse-Csrf: 1",
                            "Content-Type: application/json",
                            "Content-Length: 2000000000");
            assertThat(RawHttp.status(chunked)).isBetween(400, 413);
            assertThat(web.post("/api/v1/workflows", "{\"type\":\"echo\",\"input\":\"x\"}")
                            .status())
                    .isEqualTo(201);
        }
    }

    @Test
    void payloadsBeyondTheStoresLimitAreRefused() {
        try (DormouseServer server = server(ServerSettings.DEFAULT)) {
            String large = "{\"type\":\"echo\",\"input\":\"" + "x".repeat(3 << 20) + "\"}";
            ApiClient.Response refused = new ApiClient(server.url()).post("/api/v1/workflows", large);
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.text("/error/name")).isEqualTo("PAYLOAD_TOO_LARGE");
        }
    }

    @Test
    void largeValuesAreCut() {
        try (DormouseServer server = server(ServerSettings.DEFAULT)) {
            ApiClient web = new ApiClient(server.url());
            web.post(
                    "/api/v1/workflows", "{\"type\":\"echo\",\"id\":\"cut\",\"input\":\"" + "ü".repeat(50_000) + "\"}");
            ApiClient.Response result = web.get("/api/v1/workflows/cut/result?wait=PT20S");
            assertThat(result.at("/result/cut").asBoolean()).isTrue();
            assertThat(result.at("/result/bytes").asInt()).isEqualTo(100_002);
            assertThat(result.text("/result/text")).startsWith("\"üü").endsWith("ü");
        }
    }

    @Test
    void bodiesThatAreNotJsonAreRefused() {
        try (DormouseServer server = server(ServerSettings.DEFAULT)) {
            ApiClient web = new ApiClient(server.url());
            ApiClient.Response text =
                    web.send("POST", "/api/v1/events", "name=x", "X-Dormouse-Csrf", "1", "Content-Type", "text/plain");
            assertThat(text.status()).isEqualTo(415);
            assertThat(text.text("/error/name")).isEqualTo("NOT_JSON");
            ApiClient.Response deep = web.post("/api/v1/events", "{\"name\":\"x\",\"payload\":" + "[".repeat(100_000));
            assertThat(deep.status()).as(deep.body()).isEqualTo(400);
            assertThat(deep.text("/error/path")).isEqualTo("$");
            ApiClient.Response twice = web.post("/api/v1/events", "{\"name\":\"x\",\"name\":\"y\"}");
            assertThat(twice.status()).isEqualTo(400);
        }
    }

    @Test
    void callerBeyondTheRateLimitIsRefused() {
        try (DormouseServer server = server(ServerSettings.DEFAULT.requestsPerSecond(5))) {
            ApiClient web = new ApiClient(server.url());
            List<ApiClient.Response> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(web.get("/api/v1/errors/DM1001"));
            }
            ApiClient.Response refused = answers.stream()
                    .filter(answer -> answer.status() == 429)
                    .findFirst()
                    .orElseThrow();
            assertThat(refused.text("/error/name")).isEqualTo("TOO_MANY_REQUESTS");
            assertThat(refused.header("Retry-After")).contains("1");
            assertThat(answers.subList(0, 10)).allMatch(answer -> answer.status() == 200);
        }
    }

    @Test
    void dashboardFilesAndHealthChecksDoNotCount() {
        try (DormouseServer server = server(ServerSettings.DEFAULT.requestsPerSecond(5))) {
            ApiClient web = new ApiClient(server.url());
            for (int i = 0; i < 100; i++) {
                for (String path : new String[] {"/", "/app.js", "/style.css", "/openapi.json", "/healthz"}) {
                    assertThat(web.get(path).status()).as(path).isEqualTo(200);
                }
            }
            assertThat(web.get("/api/v1/info").status()).isEqualTo(200);
            assertThat(web.get("/readyz").status()).isEqualTo(200);
        }
    }

    @Test
    void unknownPathsAndReadinessChecksCount() {
        try (DormouseServer server = server(ServerSettings.DEFAULT.requestsPerSecond(5))) {
            ApiClient web = new ApiClient(server.url());
            for (String path : new String[] {"/nothing.js", "/readyz"}) {
                List<Integer> statuses = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    statuses.add(web.get(path).status());
                }
                assertThat(statuses).as(path).contains(429);
            }
        }
    }

    @Test
    void readOnlyServerChangesNothing() {
        try (DormouseServer server = server(ServerSettings.DEFAULT.readOnly(true))) {
            ApiClient web = new ApiClient(server.url());
            ApiClient.Response refused = web.post("/api/v1/workflows", "{\"type\":\"echo\",\"id\":\"ro\"}");
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.text("/error/name")).isEqualTo("SERVER_READ_ONLY");
            assertThat(web.get("/api/v1/info").at("/readOnly").asBoolean()).isTrue();
            assertThat(web.post("/api/v1/dags/validate", "{}").status()).isEqualTo(400);
        }
    }

    @Test
    void invalidHttpGetsTheUsualErrorBody() throws Exception {
        try (DormouseServer server = server(ServerSettings.DEFAULT)) {
            RawHttp raw = new RawHttp(server.port());
            for (String line : new String[] {
                "GET /api/v1/workflows/%zz HTTP/1.1",
                "GET /api/v1/workflows?prefix=%zz HTTP/1.1",
                "GET /api/v1/workflows?prefix=%ff HTTP/1.1",
                "GET /api/v1/workflows/%ff HTTP/1.1",
                "GET /api/v1/workflows/%00 HTTP/1.1",
                "GET /api/v1/../../etc/passwd HTTP/1.1",
                "GET /..%2f..%2fetc/passwd HTTP/1.1",
                "GET //// HTTP/1.1",
                "GET /api/v1/workflows/;x=1 HTTP/1.1",
                "GET http://evil/ HTTP/1.1",
                "BREW /api/v1/workflows HTTP/1.1",
                "TRACE /api/v1/workflows HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "PUT /api/v1/info HTTP/1.1",
                "GET /" + "x".repeat(20_000) + " HTTP/1.1",
            }) {
                String response = raw.send("", line, "Host: localhost", "X-Dormouse-Csrf: 1");
                assertThat(RawHttp.status(response))
                        .as(line.substring(0, Math.min(60, line.length())) + "\n" + response)
                        .isBetween(400, 499);
                assertThat(response).contains("{\"error\":{\"code\":\"DM").doesNotContain("\tat ");
            }
            String head = raw.send("", "HEAD /api/v1/info HTTP/1.1", "Host: localhost");
            assertThat(RawHttp.status(head)).isEqualTo(200);
            assertThat(head).endsWith("\r\n\r\n");
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.getOutputStream().write("\0\1\2 nonsense\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                InputStream in = socket.getInputStream();
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .contains(" 400 ");
            }
        }
    }
}
