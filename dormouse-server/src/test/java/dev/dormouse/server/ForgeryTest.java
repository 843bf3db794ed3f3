package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forged requests, which other sites make a browser send to a server without tokens. */
class ForgeryTest {
    private static final String START = "POST /api/v1/workflows HTTP/1.1";
    private static final String JSON = "Content-Type: application/json";
    private static final String OWN = "X-Dormouse-Csrf: 1";
    private static final String BODY = "{\"type\":\"echo\",\"id\":\"forged\",\"input\":1}";

    @TempDir
    static Path folder;

    private static Shop shop;
    private static DormouseServer server;
    private static RawHttp raw;
    private static String host;

    @BeforeAll
    static void open() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .port(0)
                .host("dormouse.example.com")
                .start();
        raw = new RawHttp(server.port());
        host = "Host: 127.0.0.1:" + server.port();
    }

    @AfterAll
    static void close() {
        server.close();
        shop.close();
    }

    private static void assertRefused(String response) {
        assertThat(RawHttp.status(response)).as(response).isEqualTo(403);
        assertThat(response).contains("DM6007");
        assertThat(shop.dormouse.find("forged", Object.class)).isEmpty();
    }

    @Test
    void foreignHostIsRefused() {
        for (String name : new String[] {
            "evil.example.com", "evil.example.com:" + server.port(), "127.0.0.1.evil.example.com", "localhost.evil.com"
        }) {
            assertRefused(raw.send("", "GET /api/v1/info HTTP/1.1", "Host: " + name));
            assertRefused(raw.send("", "GET / HTTP/1.1", "Host: " + name));
            assertRefused(raw.send("", "GET /healthz HTTP/1.1", "Host: " + name));
        }
        assertThat(RawHttp.status(raw.send("", "GET /api/v1/info HTTP/1.1"))).isBetween(400, 403);
    }

    @Test
    void ownHostNamesAreServed() {
        for (String name :
                new String[] {"127.0.0.1", "localhost:" + server.port(), "LOCALHOST", "[::1]:80", "dormouse.example.com"
                }) {
            assertThat(RawHttp.status(raw.send("", "GET /api/v1/info HTTP/1.1", "Host: " + name)))
                    .as(name)
                    .isEqualTo(200);
        }
    }

    @Test
    void foreignOriginIsRefused() {
        for (String origin : new String[] {
            "http://evil.example.com", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.com", "file://", "x"
        }) {
            assertRefused(raw.send(BODY, START, host, JSON, OWN, "Origin: " + origin));
        }
    }

    @Test
    void missingHeaderIsRefused() {
        assertRefused(raw.send(BODY, START, host, JSON));
        assertRefused(raw.send(BODY, START, host, JSON, "X-Dormouse-Csrf: 2"));
        assertRefused(raw.send(BODY, START, host, "Content-Type: text/plain"));
        assertRefused(raw.send(BODY, START, host, JSON, "Origin: " + server.url()));
        assertRefused(raw.send("", "POST /login HTTP/1.1", host));
        assertRefused(raw.send("", "DELETE /api/v1/schedules/x HTTP/1.1", host));
    }

    @Test
    void otherSitesAreRefusedByTheFetchSiteHeader() {
        for (String site : new String[] {"cross-site", "same-site"}) {
            assertRefused(raw.send(BODY, START, host, JSON, OWN, "Sec-Fetch-Site: " + site));
            assertRefused(raw.send("", "GET /api/v1/events/stream HTTP/1.1", host, "Sec-Fetch-Site: " + site));
            String link = raw.send("", "GET /probe.js HTTP/1.1", host, "Sec-Fetch-Site: " + site);
            assertThat(RawHttp.status(link)).isEqualTo(200);
        }
        assertRefused(raw.send("", "GET /api/v1/info HTTP/1.1", host, "Origin: http://evil.example.com"));
    }

    @Test
    void ownPageMayChangeSomething() {
        String body = BODY.replace("forged", "own");
        String response =
                raw.send(body, START, host, JSON, OWN, "Origin: " + server.url(), "Sec-Fetch-Site: same-origin");
        assertThat(RawHttp.status(response)).as(response).isEqualTo(201);
    }

    @Test
    void everyResponseHasSecurityHeaders() {
        for (String path : new String[] {"/", "/api/v1/info", "/nothing", "/healthz", "/api/v1/workflows/none"}) {
            String response = raw.send("", "GET " + path + " HTTP/1.1", host);
            assertThat(response)
                    .contains("Content-Security-Policy: default-src 'self'")
                    .contains("frame-ancestors 'none'")
                    .contains("X-Content-Type-Options: nosniff")
                    .contains("Referrer-Policy: no-referrer")
                    .doesNotContain("unsafe-inline")
                    .doesNotContain("Access-Control-Allow")
                    .doesNotContain("Server: ");
        }
    }
}
