package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller that uses up its limits, beside another caller. */
@Tag("slow")
@Timeout(60)
class FairLimitsTest {
    private static final int STREAMS = 6;
    private static final int REQUESTS = 300;

    @TempDir
    private Path folder;

    private final String ada = DormouseServer.newToken();
    private final String eve = DormouseServer.newToken();
    private final CountDownLatch hold = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private Shop shop;
    private DormouseServer server;

    @BeforeEach
    void open() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .settings(ServerSettings.DEFAULT
                        .port(0)
                        .maxStreams(STREAMS)
                        .requestsPerSecond(100_000)
                        .metrics(this::slowMetrics)
                        .token("ada", Role.OPERATOR, ada)
                        .token("eve", Role.READER, eve))
                .start();
    }

    private String slowMetrics() {
        try {
            hold.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return "";
    }

    @AfterEach
    void close() throws IOException {
        hold.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
        shop.close();
    }

    private Socket send(String head, String token) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write((head + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    @Test
    void oneCallerCannotTakeAllStreams() throws IOException {
        int opened = 0;
        for (int i = 0; i < STREAMS; i++) {
            opened += firstLine(send("GET /api/v1/events/stream", eve)).contains(" 200 ") ? 1 : 0;
        }
        assertThat(opened).isEqualTo(STREAMS / 2);
        assertThat(firstLine(send("GET /api/v1/events/stream", ada))).contains(" 200 ");
    }

    @Test
    void oneCallerCannotTakeAllRequestPermits() throws Exception {
        for (int i = 0; i < REQUESTS; i++) {
            send("GET /metrics", eve);
        }
        TimeUnit.SECONDS.sleep(2);
        long began = System.nanoTime();
        ApiClient web = new ApiClient(server.url());
        assertThat(web.get("/metrics", "Authorization", "Bearer " + eve).status())
                .isEqualTo(429);
        assertThat(web.get("/api/v1/info", "Authorization", "Bearer " + ada).status())
                .isEqualTo(200);
        assertThat(web.get("/").status()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }

    /** The body timeout applies even if no byte arrives. */
    @Test
    void loginWithoutABodyIsRefusedAfterFiveSeconds() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        long began = System.nanoTime();
        socket.getOutputStream()
                .write(("POST /login HTTP/1.1\r\nHost: localhost\r\nX-Dormouse-Csrf: 1\r\n"
                                + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(firstLine(socket)).contains(" 400 ");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
    }

    @Test
    void connectionIsReusedAfterABody() throws Exception {
        ApiClient web = new ApiClient(server.url());
        assertThat(web.post("/login", "{\"token\":\"" + ada + "\"}").status()).isEqualTo(200);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.setSoTimeout(20_000);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String login = "{\"token\":\"" + ada + "\"}";
        socket.getOutputStream()
                .write(("POST /login HTTP/1.1\r\nHost: localhost\r\nX-Dormouse-Csrf: 1\r\n"
                                + "Content-Type: application/json\r\nContent-Length: " + login.length() + "\r\n\r\n"
                                + login)
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(in.readLine()).contains(" 200 ");
        TimeUnit.SECONDS.sleep(7);
        socket.getOutputStream()
                .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(in.lines()).anyMatch(line -> line.contains("HTTP/1.1 200"));
    }
}
