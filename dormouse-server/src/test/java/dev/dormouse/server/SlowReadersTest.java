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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send many requests on one connection and read none of the answers. */
@Timeout(60)
class SlowReadersTest {
    private static final Duration PROMPT = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 400;

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
                        .token("eve", Role.READER, eve))
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

    private void connect(String path, String header, int requests) throws Exception {
        String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
        byte[] pipeline = head.repeat(requests).getBytes(StandardCharsets.UTF_8);
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

    private void assertAnswersPromptly() {
        long began = System.nanoTime();
        Web web = new Web(server.url());
        assertThat(web.get("/healthz").status()).isEqualTo(200);
        assertThat(web.get("/api/v1/info", "Authorization", "Bearer " + token).status())
                .isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PROMPT);
    }

    @Test
    void filesThatAreNotReadHoldUpNobody() throws Exception {
        connect("/openapi.json", "X-Slow: 1", 100);
        assertAnswersPromptly();
    }

    @Test
    void answersThatOneCallerDoesNotReadHoldUpNoOtherCaller() throws Exception {
        connect("/api/v1/errors", "Authorization: Bearer " + eve, 200);
        assertAnswersPromptly();
    }
}
