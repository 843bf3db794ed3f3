package dev.dormouse.postgres.sqltimers;

import static dev.dormouse.postgres.sqltimers.TimersDatabase.ADMIN;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.NODE;
import static dev.dormouse.postgres.sqltimers.TimersDatabase.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.RetryPolicy;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.postgres.TestPostgres;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The log lines of an SQL timer node about timers that fail and about outages of its database. */
@Timeout(120)
@Tag("once")
class SqlTimerFailureLogTest {
    private static final Duration SOON = Duration.ofSeconds(40);

    private final TimersDatabase database = TimersDatabase.create();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
        own().setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
        own().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    }

    private static Logger own() {
        return (Logger) LoggerFactory.getLogger("dev.dormouse");
    }

    private List<String> lines() {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    private List<String> linesWith(String part) {
        return lines().stream().filter(line -> line.contains(part)).toList();
    }

    private long schedule(String handler) {
        return Long.parseLong(
                database.query(WEB, "select timers.schedule_handler(clock_timestamp(), '" + handler + "', '1')"));
    }

    @Test
    void handlerThatFailsIsLogged() {
        SqlTimerHandler broken = call -> {
            throw new IllegalStateException("no mail\0server");
        };
        try (SqlTimerNode node = database.node()
                .handler("mail", broken)
                .handlerRetry(RetryPolicy.DEFAULT
                        .withInitialInterval(Duration.ofMillis(200))
                        .withMaxInterval(Duration.ofMillis(200))
                        .withMaxAttempts(6))
                .open()) {
            long id = schedule("mail");
            database.awaitStatus(id, 2);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(linesWith("handler 'mail' for SQL timer " + id))
                            .satisfiesExactly(
                                    one -> assertThat(one)
                                            .startsWith("WARN Attempt 1 of handler")
                                            .contains("no mail", "The next attempt begins in"),
                                    two -> assertThat(two).startsWith("WARN Attempt 2 of"),
                                    four -> assertThat(four).startsWith("WARN Attempt 4 of"),
                                    last -> assertThat(last)
                                            .startsWith("WARN Attempt 6 of")
                                            .contains("There is no further attempt: the timer has failed.")));
            assertThat(database.column("error", id)).contains("no mail\uFFFDserver");
        }
    }

    @Test
    void actionThatFailsIsLogged() {
        try (SqlTimerNode node = database.node().open()) {
            long id = database.schedule(WEB, "0", "insert into ledger (n) values (1 / 0)");
            long killed = database.schedule(WEB, "0", "select pg_terminate_backend(pg_backend_pid())");
            await().atMost(SOON).untilAsserted(() -> {
                assertThat(linesWith(
                                "SQL timer " + id + " of role 'web' has failed: division by zero (SQLSTATE 22012)"))
                        .hasSize(1);
                assertThat(linesWith("SQL timer " + killed + " of role 'web' has failed: "))
                        .hasSize(1);
            });
        }
    }

    @Test
    void failuresOfManyTimersWriteFewLines() {
        try (SqlTimerNode node = database.node().open()) {
            database.execute(WEB, "select timers.schedule_in('0', 'select 1 / 0') from generate_series(1, 50)");
            database.awaitQuery("select count(*) from timers.timers where status = 2", "50");
            assertThat(linesWith("has failed")).hasSizeBetween(1, 8);
        }
    }

    @Test
    void timersOfADroppedRoleAreLogged() {
        database.createRole("leaver");
        database.execute(NODE, "select timers.enable_role('leaver')");
        database.schedule("leaver", "0", "select 1");
        database.execute(ADMIN, "drop owned by leaver; drop role leaver");
        try (SqlTimerNode node = database.node().open()) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(linesWith("role 'leaver' have failed, because the role"))
                            .hasSize(1));
        }
    }

    @Test
    void outageIsLoggedOnceAndSoIsItsEnd() throws Exception {
        NotificationBlocker first = new NotificationBlocker(TestPostgres.port());
        int port = first.port();
        try (SqlTimerNode node = SqlTimerNode.builder()
                .url(database.url(NODE, port) + "&sslmode=disable&gssEncMode=disable")
                .handler("mail", call -> {})
                .open()) {
            assertThat(node.outages()).isEmpty();
            int before = lines().size();
            first.close();
            long id = schedule("mail");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(node.outages())
                            .extracting(StoreOutage::trouble)
                            .contains(StoreTrouble.AWAY));
            Thread.sleep(8_000); // a real outage of a real server
            assertThat(linesWith("WARN The database of the SQL timers cannot be reached. Nothing is lost"))
                    .hasSize(1);
            try (NotificationBlocker second = new NotificationBlocker(port, TestPostgres.port())) {
                database.awaitStatus(id, 1);
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(
                                        linesWith("INFO The database of the SQL timers can be reached again, after"))
                                .hasSize(1));
                assertThat(node.outages()).isEmpty();
                assertThat(lines().subList(before, lines().size())).hasSizeLessThanOrEqualTo(10);
            }
        }
    }
}
