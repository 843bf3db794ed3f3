package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.ApiRequest;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Route;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Random requests never make the server fail. Repeat a run with -Dfuzz.seed=… */
class FuzzTest {
    private static final int IN_PROCESS = Integer.getInteger("fuzz.requests", 3_000);
    private static final int OVER_HTTP = 400;

    @TempDir
    static Path folder;

    private static Shop shop;
    private static Api api;

    @BeforeAll
    static void open() {
        shop = new Shop(folder.resolve("shop.db"));
        api = new Api(shop.dormouse, shop.dags, false);
        shop.dormouse.start("order", "order-1", String.class, "lamp", 1);
        shop.dormouse.timers().after(Duration.ofDays(1), "remind", Map.of());
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    private static Random random() {
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        System.out.println("fuzz.seed=" + seed);
        return new Random(seed);
    }

    private static void assertFine(String what, int status, String body) {
        assertThat(status)
                .as(what + "\n" + body)
                .isBetween(200, 504)
                .isNotEqualTo(500)
                .isNotEqualTo(503);
        assertThat(body).as(what).doesNotContain("dev.dormouse.server.api.").doesNotContain("DM6012");
        if (status >= 400 && !body.isEmpty()) {
            JsonNode error = ApiClient.MAPPER.readTree(body).get("error");
            assertThat(error.get("code").asString()).as(what).startsWith("DM");
            assertThat(error.get("message").asString())
                    .as(what)
                    .startsWith("[DM")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void randomRequestsToTheApi() {
        RandomRequest requests = new RandomRequest(random(), routes());
        Map<Integer, Integer> statuses = new TreeMap<>();
        for (int i = 0; i < IN_PROCESS; i++) {
            Route route = requests.route();
            String method = requests.method(route);
            String path = requests.path(route);
            Map<String, List<String>> query = requests.query(route);
            String body = route.method().equals("GET") ? "" : requests.body(route);
            Role role = requests.any(List.of(Role.values()));
            ApiResponse response = api.handle(new ApiRequest(
                    method, path, query, body.getBytes(StandardCharsets.UTF_8), new Caller("fuzz", role)));
            String what = method + " " + path + " " + query + " " + body;
            assertFine(what, response.status(), new String(response.body(), StandardCharsets.UTF_8));
            statuses.merge(response.status(), 1, Integer::sum);
        }
        System.out.println(statuses);
        assertThat(statuses).containsKeys(200, 201, 400, 403, 404, 405, 409);
    }

    private static List<Route> routes() {
        return api.router().routes();
    }

    @Test
    void randomRequestsOverHttp() {
        Random random = random();
        RandomRequest requests = new RandomRequest(random, routes());
        List<String> headers = List.of(
                "X-Dormouse-Csrf: 1",
                "X-Dormouse-Csrf: 1",
                "X-Dormouse-Csrf: 1",
                "Origin: http://evil",
                "Authorization: Bearer x",
                "Cookie: dormouse-0=x",
                "Content-Type: text/plain",
                "If-None-Match: *",
                "Accept: text/html",
                "Range: bytes=0-1");
        try (DormouseServer server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .dags(shop.dags)
                .settings(ServerSettings.DEFAULT.port(0).requestsPerSecond(100_000))
                .start()) {
            RawHttp raw = new RawHttp(server.port());
            for (int i = 0; i < OVER_HTTP; i++) {
                Route route = requests.route();
                String line = requests.method(route) + " " + requests.path(route)
                        + RandomRequest.text(requests.query(route)) + " HTTP/1.1";
                String body = route.method().equals("GET") ? "" : requests.body(route);
                String[] head = {
                    line,
                    random.nextInt(30) == 0 ? "Host: evil" : "Host: localhost",
                    "Content-Type: application/json",
                    headers.get(random.nextInt(headers.size()))
                };
                String response = raw.send(body, head);
                int end = response.indexOf("\r\n\r\n");
                assertThat(end).as(line + "\n" + response).isPositive();
                boolean isJson = response.contains("Content-Type: application/json") && !response.contains("chunked");
                assertFine(line + "\n" + body, RawHttp.status(response), isJson ? response.substring(end + 4) : "");
            }
        }
    }
}
