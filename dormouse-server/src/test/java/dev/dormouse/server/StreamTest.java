package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.server.api.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Live changes as server-sent events. */
@Timeout(60)
class StreamTest {
    @TempDir
    Path folder;

    private Shop shop;
    private DormouseServer server;

    @BeforeEach
    void open() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .settings(ServerSettings.DEFAULT.port(0).maxStreams(2))
                .start();
    }

    @AfterEach
    void close() {
        server.close();
        shop.close();
    }

    /** A client that receives live changes. */
    private static final class StreamReader implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        StreamReader(int port, String query, String... headers) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET /api/v1/events/stream" + query
                                    + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                                    + String.join("", headers) + "\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        String line() throws IOException {
            return in.readLine();
        }

        /** Returns the data of the next event with this name. */
        JsonNode next(String event) throws IOException {
            String line = "";
            while (line != null && !line.equals("event: " + event)) {
                line = line();
            }
            assertThat(line).as("the stream has ended").isNotNull();
            return ApiClient.MAPPER.readTree(line().substring("data: ".length()));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void clientsReceiveChanges() throws Exception {
        shop.dormouse.start("order", "order-1", String.class, "lamp", 1);
        try (StreamReader ear = new StreamReader(server.port(), "?workflow=order-1")) {
            assertThat(ear.line()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(ear.next("pulse").at("/overview/running/count").isNumber())
                    .isTrue();
            assertThat(ear.next("nodes").at("/items").isArray()).isTrue();
            assertThat(ear.next("run").at("/workflowId").asString()).isEqualTo("order-1");
            shop.dormouse.find("order-1", Object.class).orElseThrow().terminate("enough");
            String status = "";
            while (!status.equals("TERMINATED")) {
                status = ear.next("run").at("/status").asString();
            }
        }
    }

    @Test
    void numberOfClientsIsLimited() throws Exception {
        List<StreamReader> ears = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ears.add(new StreamReader(server.port(), ""));
            ears.get(i).next("pulse");
        }
        ApiClient web = new ApiClient(server.url());
        assertThat(web.get("/api/v1/events/stream").status()).isEqualTo(429);
        assertThat(web.get("/api/v1/info").status()).isEqualTo(200);
        for (StreamReader ear : ears) {
            ear.close();
        }
    }

    @Test
    void closingTheServerEndsStreams() throws Exception {
        try (StreamReader ear = new StreamReader(server.port(), "")) {
            ear.next("pulse");
            server.close();
            String line = "";
            while (line != null) {
                line = ear.line();
            }
        }
    }

    @Test
    void clientReceivesNothingAfterItsLogout() throws Exception {
        String token = DormouseServer.newToken();
        try (DormouseServer closed = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .port(0)
                .token("ada", Role.READER, token)
                .start()) {
            ApiClient web = new ApiClient(closed.url());
            String cookie = web.send("POST", "/login", "{\"token\":\"" + token + "\"}", ApiClient.OWN)
                    .header("Set-Cookie")
                    .orElseThrow()
                    .replaceFirst(";.*", "");
            try (StreamReader ear =
                    new StreamReader(closed.port(), "", "Connection: close\r\n", "Cookie: " + cookie + "\r\n")) {
                ear.next("pulse");
                web.send("POST", "/logout", null, "Cookie", cookie, "X-Dormouse-Csrf", "1");
                String line = "";
                for (int i = 0; line != null && i < 100; i++) {
                    shop.dormouse.start("echo", "echo-" + i, String.class, "x");
                    line = ear.line();
                }
                assertThat(line).as("the stream goes on").isNull();
            }
        }
    }

    @Test
    void streamThreadsEndWithTheServer() throws Exception {
        try (StreamReader ear = new StreamReader(server.port(), "")) {
            ear.next("pulse");
            server.close();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .extracting(Thread::getName)
                            .noneMatch(name -> name.contains("Javalin") || name.startsWith("dormouse-server")));
        }
    }

    @Test
    void unknownParametersAreRefused() {
        ApiClient web = new ApiClient(server.url());
        assertThat(web.get("/api/v1/events/stream?typo=1").status()).isEqualTo(400);
        assertThat(web.get("/api/v1/events/stream?" + "workflow=x&".repeat(21)).status())
                .isEqualTo(400);
    }
}
