package dev.dormouse.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Another session holds locks on all tables: Dormouse says so, asks seldom, and resumes by itself. */
@Timeout(120)
@Tag("once")
class LockedTablesTest {
    private static final Duration LOCKED = Duration.ofSeconds(20);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.dormouse");
    }

    private static long rollbacks() {
        return Long.parseLong(TestPostgres.query(
                "select xact_rollback from pg_stat_database where datname = '" + TestPostgres.DATABASE + "'"));
    }

    private static void lockFor(String schema, Duration time) throws SQLException, InterruptedException {
        try (Connection connection = TestPostgres.admin().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "do $$ declare t record; begin for t in select tablename from pg_tables where schemaname = '"
                            + schema + "' loop execute format('lock table %I.%I in access exclusive mode', '" + schema
                            + "', t.tablename); end loop; end $$");
            Thread.sleep(time.toMillis()); // real locks of a real server last for real time
            connection.rollback();
        }
    }

    private List<String> told() {
        return log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Test
    void lockedTablesAreLoggedAndRetriedSeldomAndEverythingResumes() throws Exception {
        String schema = TestPostgres.newSchema();
        try (Dormouse dormouse = Dormouse.builder()
                .store(TestPostgres.url())
                .schema(schema)
                .workflow("w", String.class, String.class, (ctx, input) -> {
                    for (int i = 0; i < 20; i++) {
                        ctx.step("s" + i, String.class, () -> {
                            Thread.sleep(20);
                            return "x";
                        });
                    }
                    return ctx.waitForSignal("go", Duration.ofDays(1))
                            .orElseThrow()
                            .name();
                })
                .open()) {
            List<WorkflowHandle<String>> handles = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                handles.add(dormouse.start("w", "w-" + i, String.class, "x"));
            }
            long before = rollbacks();
            CompletableFuture<Void> signals = CompletableFuture.runAsync(() -> {
                pause(Duration.ofSeconds(1));
                handles.forEach(handle -> handle.signal("go", "there"));
            });
            lockFor(schema, LOCKED);
            pause(Duration.ofSeconds(2)); // until the server has counted
            long perMinute = (rollbacks() - before) * 60 / LOCKED.toSeconds();
            signals.get();
            for (WorkflowHandle<String> handle : handles) {
                assertThat(handle.result(Duration.ofSeconds(30))).isEqualTo("go");
            }
            pause(Duration.ofSeconds(8));
            System.out.println("lock timeouts a minute: " + perMinute + "\n" + String.join("\n", told()));
            assertThat(perMinute).isLessThan(800);
            assertThat(told())
                    .filteredOn(line -> line.startsWith("WARN The store is slow or locked"))
                    .hasSize(1);
            assertThat(told())
                    .filteredOn(line -> line.startsWith("INFO The store answers in time again"))
                    .hasSize(1);
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
