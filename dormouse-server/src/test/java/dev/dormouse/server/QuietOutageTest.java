package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log lines of a server whose store does not respond while dashboards keep polling. */
@Timeout(60)
class QuietOutageTest {
    @TempDir
    private Path folder;

    @Test
    void requestsDuringAnOutageDoNotFillTheLog() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.dormouse.server");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Shop shop = new Shop(folder.resolve("shop.db"));
        try (DormouseServer server =
                DormouseServer.builder().dormouse(shop.dormouse).port(0).start()) {
            ApiClient web = new ApiClient(server.url());
            shop.close();
            lines.start();
            logger.addAppender(lines);
            for (int i = 0; i < 20; i++) {
                assertThat(web.get("/api/v1/workflows").status()).isEqualTo(503);
            }
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(List.copyOf(lines.list))
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSizeLessThanOrEqualTo(1);
    }
}
