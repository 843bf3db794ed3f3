package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Opening, using and closing a Dormouse writes nothing about connections into the log. */
class QuietPoolsTest {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        root.setLevel(Level.INFO);
        root.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(log);
        root.setLevel(Level.WARN);
    }

    private static void use(DormouseBuilder builder) {
        try (Dormouse dormouse = builder.schema(TestPostgres.newSchema())
                .keepClosedRuns() // logs nothing about deletions
                .workflow("hello", String.class, String.class, (ctx, name) -> {
                    ctx.transaction("row", connection -> {});
                    return "hello " + name;
                })
                .open()) {
            assertThat(dormouse.start("hello", "w", String.class, "you").result())
                    .isEqualTo("hello you");
        }
    }

    private List<String> lines() {
        return log.list.stream()
                .filter(event -> !event.getLoggerName().startsWith("io.zonky")) // the tests' own server
                .map(event -> event.getLevel() + " " + event.getLoggerName() + ": " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void dormouseWithAUrlLogsNothingOfItsPools() {
        use(Dormouse.builder().store(TestPostgres.url()));
        assertThat(lines()).isEmpty();
    }

    @Test
    void closingLeavesNoWarningInAUsersPool() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(TestPostgres.engine());
            pool.setMaximumPoolSize(12);
            pool.setPoolName("users");
            use(Dormouse.builder().store(pool));
            assertThat(lines()).noneMatch(line -> line.startsWith("WARN") || line.contains("dormouse-"));
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }
}
