package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.server.api.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that announce a body and do not send it, or send requests and do not read the responses. */
@Tag("slow")
@Timeout(60)
class SlowClientsTest {
    private static final Duration PROMPT = Duration.ofSeconds(20);
    private static final int CONNECTIONS = 400;
    /** Few, because the permits of slow logins expire: opening many connections may take longer on a busy machine. */
    private static final int MORE_THAN_ONE_ADDRESS_MAY = 20;

    @TempDir
    private Path folder;

    private final String token = DormouseServer.newToken();
    private final String eve = DormouseServer.newToken();
    private final List<Socket> slow = new ArrayList<>();
    private Shop shop;
    private DormouseServer server;

    @BeforeEach
    void open() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .settings(ServerSettings.DEFAULT
                        .port(0)
                        .requestsPerSecond(100_000)
                        .token("ada", Role.OPERATOR, token)
                        .token("eve", Role.OPERATOR, eve))
                .start();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : slow) {
            socket.close();
        }
        server.close();
        shop.close();
    }

    private void connect(String path, String header) throws IOException {
        connect(CONNECTIONS, path, header);
    }

    private void connect(int connections, String path, String header) throws IOException {
        for (int i = 0; i < connections; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            slow.add(socket);
            String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header
                    + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        }
    }

    /** Waits until the server has read so many requests that it refuses one: the others do not get a response. */
    private void awaitFirstRefusal() throws IOException, InterruptedException {
        while (true) {
            for (Socket socket : slow) {
                if (socket.getInputStream().available() > 0) {
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Sends many requests on each connection, and gives the server time to fill all buffers with its responses. */
    private void askWithoutReading(String path) throws IOException, InterruptedException {
        String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        byte[] pipeline = head.repeat(100).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < CONNECTIONS; i++) {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            slow.add(socket);
            socket.getOutputStream().write(pipeline);
            socket.getOutputStream().flush();
        }
        TimeUnit.SECONDS.sleep(3);
    }

    private void assertAnswersPromptly(String name) {
        long began = System.nanoTime();
        ApiClient web = new ApiClient(server.url());
        String[] ada = {"Authorization", "Bearer " + token};
        assertThat(web.get("/healthz").status()).isEqualTo(200);
        assertThat(web.get("/api/v1/info", ada).status()).isEqualTo(200);
        ApiClient.Response started =
                web.send("POST", "/api/v1/workflows", "{\"type\":\"echo\",\"id\":\"" + name + "\",\"input\":1}", ada);
        assertThat(started.status()).as(started.body()).isEqualTo(201);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PROMPT);
    }

    @Test
    void slowLoginsWithoutATokenDoNotDelayOthers() throws IOException {
        connect("/login", "X-Dormouse-Csrf: 1");
        assertAnswersPromptly("after-logins");
    }

    @Test
    void slowRequestsWithoutATokenDoNotDelayOthers() throws IOException {
        connect("/api/v1/workflows", "X-Dormouse-Csrf: 1");
        assertAnswersPromptly("after-requests");
    }

    @Test
    void slowRequestsOfOneCallerDoNotDelayOthers() throws IOException {
        connect("/api/v1/workflows", "Authorization: Bearer " + eve);
        assertAnswersPromptly("after-eve");
    }

    @Test
    void unreadResponsesDoNotDelayOtherClients() throws Exception {
        askWithoutReading("/openapi.json");
        assertAnswersPromptly("after-files");
    }

    @Test
    void addressWithTooManySlowLoginsIsRefused() throws Exception {
        connect(MORE_THAN_ONE_ADDRESS_MAY, "/login", "X-Dormouse-Csrf: 1");
        awaitFirstRefusal();
        ApiClient.Response refused = new ApiClient(server.url()).post("/login", "{\"token\":\"" + token + "\"}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("/error/name")).isEqualTo("TOO_MANY_REQUESTS");
        assertThat(refused.header("Retry-After")).isPresent();
    }
}
