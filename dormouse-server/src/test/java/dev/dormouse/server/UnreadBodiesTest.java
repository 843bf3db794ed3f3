package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A refused request whose body was not read: the connection closes, and the response says so. */
@Timeout(60)
class UnreadBodiesTest {
    @TempDir
    private Path folder;

    /** Sends a forged request without its body, and returns the head of the response. */
    private static String head(DormouseServer server) throws IOException {
        int port = URI.create(server.url()).getPort();
        String request = "POST /api/v1/events HTTP/1.1\r\nHost: "
                + URI.create(server.url()).getAuthority() + "\r\nOrigin: http://evil"
                + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            StringBuilder head = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            return head.toString();
        }
    }

    @Test
    void responseAnnouncesThatTheConnectionCloses() throws IOException {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = DormouseServer.builder()
                        .dormouse(shop.dormouse)
                        .settings(ServerSettings.DEFAULT.port(0))
                        .start()) {
            assertThat(head(server)).startsWith("HTTP/1.1 403").containsIgnoringCase("connection: close");
            assertThat(new ApiClient(server.url())
                            .post("/api/v1/events", "{}")
                            .raw()
                            .headers()
                            .firstValue("Connection"))
                    .isEmpty();
        }
    }
}
