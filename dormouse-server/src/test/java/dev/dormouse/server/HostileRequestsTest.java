package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests of hostile clients. */
@Timeout(120)
class HostileRequestsTest {
    @TempDir
    static Path folder;

    private static Shop shop;
    private static DormouseServer server;
    private static RawHttp raw;
    private static ApiClient web;

    @BeforeAll
    static void open() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .dags(shop.dags)
                .settings(ServerSettings.DEFAULT.port(0).requestsPerSecond(100_000))
                .start();
        raw = new RawHttp(server.port());
        web = new ApiClient(server.url() + "/api/v1");
        shop.dormouse.start("order", "order-1", String.class, "lamp", 1);
        shop.dormouse.timers().after(Duration.ofDays(1), "remind", Map.of());
    }

    @AfterAll
    static void close() {
        server.close();
        shop.close();
    }

    private static void assertRefused(String what, String response) {
        assertThat(RawHttp.status(response)).as(what + "\n" + response).isBetween(400, 499);
        assertThat(response).contains("{\"error\":{\"code\":\"DM").doesNotContain("\tat ");
    }

    @Test
    void pathOfManySegmentsIsNotAServerError() {
        assertRefused("folders", raw.send("", "GET /" + "a/".repeat(3_900) + "a HTTP/1.1", "Host: localhost"));
        assertRefused("slashes", raw.send("", "GET " + "/".repeat(7_000) + " HTTP/1.1", "Host: localhost"));
    }

    @Test
    void requestWithoutAPathIsNotAServerError() {
        String head = "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n";
        assertThat(raw.firstLine(head + "\r\n")).startsWith("HTTP/1.1 403 ");
        assertThat(raw.firstLine(head + "X-Dormouse-Csrf: 1\r\n\r\n")).startsWith("HTTP/1.1 405 ");
    }

    @Test
    void ambiguousPathsAreNotFound() {
        for (String path : List.of(
                "//api/v1/info",
                "/api/v1//info",
                "/api/v1/info/",
                "/API/v1/info",
                "/api/v1;x/info",
                "/api/v1/info;x",
                "/api%2fv1/info",
                "/api/v1/%2e%2e/info",
                "/./api/v1/info",
                "/api/v1/../v1/info")) {
            assertRefused(path, raw.send("", "GET " + path + " HTTP/1.1", "Host: localhost"));
        }
        for (String header : List.of("X-HTTP-Method-Override: DELETE", "X-Original-URL: /api/v1/info")) {
            assertThat(RawHttp.status(raw.send("", "GET /nothing HTTP/1.1", "Host: localhost", header)))
                    .isEqualTo(404);
        }
    }

    @Test
    void malformedCookiesAreNotAServerError() {
        for (String cookie : List.of(
                "dormouse-0=\"x",
                "dormouse-0",
                "=;=;;",
                "a b=c",
                "dormouse-0=ü\u0080",
                "$Version=9; dormouse-0=x; $Path=/",
                "dormouse-0=x,y; dormouse-0={}",
                "x=" + "y".repeat(4_000))) {
            String response = raw.send("", "GET /api/v1/info HTTP/1.1", "Host: localhost", "Cookie: " + cookie);
            assertThat(RawHttp.status(response)).as(cookie + "\n" + response).isIn(200, 400);
        }
    }

    @Test
    void malformedBodiesAreNotAServerError() {
        for (String body : List.of("zz\r\n", "fffffffffffffffff\r\n", "-1\r\n\r\n")) {
            String response = raw.sendAsItIs("POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Dormouse-Csrf: 1\r\n"
                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                    + body);
            assertThat(RawHttp.status(response)).as(body + "\n" + response).isBetween(400, 499);
        }
    }

    @Test
    void forgedCursorsAreRefused() {
        String id = "01890a5d-ac96-774b-bcce-b302099a8057";
        for (String place : List.of(
                "",
                ":",
                "0",
                "0:",
                "-1:" + id,
                "7:" + id,
                "0:" + id,
                "0:" + id + ":x",
                "0:" + id + "x".repeat(3_000),
                "0:zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz",
                "99999999999999999999:" + id,
                "9223372036854775807:" + id,
                "-9223372036854775808:" + id,
                id,
                "%s%n",
                "0:1-1-1-1-1")) {
            String page =
                    Base64.getUrlEncoder().withoutPadding().encodeToString(place.getBytes(StandardCharsets.UTF_8));
            for (String list : List.of(
                    "/workflows?page=",
                    "/workflows?prefix=o&page=",
                    "/workflows?status=FAILED&page=",
                    "/timers?page=",
                    "/timers?prefix=t&page=",
                    "/timers?order=due&page=",
                    "/timers?kind=sleep&page=",
                    "/schedules?page=")) {
                ApiClient.Response answer = web.get(list + page);
                assertThat(answer.status())
                        .as(list + place + "\n" + answer.body())
                        .isIn(200, 400);
            }
        }
    }

    @Test
    void hugeNumbersAreRefusedQuickly() {
        for (String number : List.of("1e999999999", "-1e999999999", "1e-999999999", "1e400", "9".repeat(900), "NaN")) {
            ApiClient.Response answer = web.post("/workflows/order-1/reset", "{\"events\":" + number + "}");
            assertThat(answer.status()).as(number + "\n" + answer.body()).isEqualTo(400);
            ApiClient.Response input = web.post("/workflows", "{\"type\":\"echo\",\"input\":" + number + "}");
            assertThat(input.status()).as(number + "\n" + input.body()).isIn(201, 400);
        }
    }

    @Test
    void timersThatAreDueAtOnceAreAdded() {
        for (int i = 0; i < 200; i++) {
            ApiClient.Response added = web.post("/timers", "{\"handler\":\"remind\",\"in\":\"PT-1S\",\"payload\":{}}");
            assertThat(added.status()).as(added.body()).isEqualTo(201);
        }
    }

    @Test
    void messageToAClosedRunDoesNotReachTheNextRun() {
        String start = "{\"type\":\"order\",\"id\":\"again\",\"input\":[\"lamp\",1],\"idReuse\":\"START_NEW\"}";
        String first = web.post("/workflows", start).text("/runId");
        assertThat(web.post("/workflows/again/terminate?run=" + first, "{}").status())
                .isEqualTo(200);
        String second = web.post("/workflows", start).text("/runId");
        assertThat(second).isNotEqualTo(first);
        String old = "?run=" + first;
        assertThat(web.post("/workflows/again/signal" + old, "{\"name\":\"approve\",\"arguments\":[\"eve\"]}")
                        .status())
                .isEqualTo(409);
        assertThat(web.post("/workflows/again/update" + old, "{\"name\":\"addPieces\",\"arguments\":[7]}")
                        .status())
                .isEqualTo(409);
        assertThat(web.post("/workflows/again/timers/deadline/move" + old, "{\"in\":\"PT0S\"}")
                        .status())
                .isEqualTo(409);
        assertThat(web.post("/workflows/again/waits/1/move" + old, "{\"in\":\"PT0S\"}")
                        .status())
                .isEqualTo(409);
        assertThat(web.post("/workflows/again/query", "{\"name\":\"state\"}").text("/result/json"))
                .isEqualTo("waiting");
    }
}
