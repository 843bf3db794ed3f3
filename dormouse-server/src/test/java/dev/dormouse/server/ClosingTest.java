package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A server that is closed while requests wait. */
@Timeout(60)
class ClosingTest {
    @TempDir
    private Path folder;

    @Test
    void closingEndsRequestsThatWait() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("ROOT");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        List<Socket> sockets = new ArrayList<>();
        try (Shop shop = new Shop(folder.resolve("shop.db"))) {
            DormouseServer server =
                    DormouseServer.builder().dormouse(shop.dormouse).port(0).start();
            shop.dormouse.start("order", "order-1", String.class, "lamp", 1);
            for (int i = 0; i < 30; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                sockets.add(socket);
                socket.getOutputStream()
                        .write("GET /api/v1/workflows/order-1/result?wait=PT50S HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.UTF_8));
            }
            TimeUnit.SECONDS.sleep(2);
            long began = System.nanoTime();
            server.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        } finally {
            logger.detachAppender(lines);
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        assertThat(List.copyOf(lines.list))
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEmpty();
    }
}
