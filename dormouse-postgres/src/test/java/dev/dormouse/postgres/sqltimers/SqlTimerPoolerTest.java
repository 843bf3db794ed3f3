package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.postgres.TestPostgres;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A node behind a pooler that drops notifications. */
@Timeout(60)
class SqlTimerPoolerTest {
    private final TimersDatabase database = TimersDatabase.create();

    @Test
    void timersFireByLookingAndTheLogSaysSo() throws IOException {
        Logger logger = (Logger) LoggerFactory.getLogger(SqlTimerNode.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try (NotificationBlocker muffler = new NotificationBlocker(TestPostgres.port());
                SqlTimerNode node = SqlTimerNode.builder()
                        .url(database.url(NODE, muffler.port()) + "&sslmode=disable&gssEncMode=disable")
                        .open()) {
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(message -> message.startsWith("Expected notifications of PostgreSQL, but none arrive"));
            long id = database.schedule(WEB, "100 ms", "insert into ledger (n) values (1)");
            database.awaitStatus(id, 1);
        } finally {
            logger.detachAppender(log);
        }
    }
}
