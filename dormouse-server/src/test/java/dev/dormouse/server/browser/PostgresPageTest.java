package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.RetryPolicy;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The dashboard on PostgreSQL: timers that were set in SQL, and a step that is retried now instead of in an hour. */
@Tag("browser")
@ExtendWith(Browser.class)
class PostgresPageTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void sqlTimersAreChangedAndAStepIsRetriedNow(Chromium browser) throws IOException, SQLException {
        AtomicInteger attempts = new AtomicInteger();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .start();
                Dormouse dormouse = open(postgres, attempts);
                DormouseServer server =
                        DormouseServer.builder().dormouse(dormouse).port(0).start();
                Page page = browser.page()) {
            setTimers(postgres);
            page.visit(server.url() + "/#/timers?kind=sql")
                    .untilText("table", "SQL: select '<b>bold</b>'")
                    .screenshot(Path.of("target", "screenshots", "sql-timers.png"));
            page.click("Cancel 1").click("Cancel the timer").until("!text('table').includes('<b>')");
            assertThat(status(dormouse, 1)).isEqualTo(SqlTimer.Status.CANCELLED);
            page.click("Fire 2 now").click("Fire now").untilText("table", "overdue"); // no node here fires them
            assertThat(dormouse.sqlTimers()
                            .get(new SqlTimerId(0, 2))
                            .orElseThrow()
                            .fireAt()
                            .orElseThrow())
                    .isBefore(dormouse.now());

            fail(postgres, 2);
            page.visit(server.url() + "/#/timers?view=sql").untilText("table", "relation does not exist");
            page.click("2")
                    .untilText(".banner", "relation does not exist")
                    .untilText("pre.value", "delete from sessions");

            dormouse.start("charge", "c", String.class, "x");
            page.visit(server.url() + "/#/workflows/c").untilText(".banner", "tries again");
            page.click("Try now").click("Try now").untilText(".banner", "Completed");
            assertThat(attempts).hasValue(2);
            assertThat(page.complaints()).isEmpty();
        }
    }

    private static Dormouse open(EmbeddedPostgres postgres, AtomicInteger attempts) {
        return Dormouse.builder()
                .store("jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres")
                .workflow("charge", String.class, String.class, (ctx, text) -> {
                    RetryPolicy hourly = RetryPolicy.DEFAULT
                            .withInitialInterval(HOUR)
                            .withMaxInterval(HOUR)
                            .withJitter(0);
                    ctx.step("charge", ActivityOptions.DEFAULT.withRetry(hourly), () -> {
                        if (attempts.incrementAndGet() == 1) {
                            throw new IllegalStateException("The bank does not answer.");
                        }
                    });
                    return text;
                })
                .open();
    }

    private static void setTimers(EmbeddedPostgres postgres) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(SqlTimerNode.script());
            statement.execute("select timers.enable_role('postgres')");
            statement.execute("select timers.schedule_in('1 hour', $$select '<b>bold</b>'$$)");
            statement.execute("select timers.schedule_in('2 hours', 'delete from sessions where id = 42')");
        }
    }

    /** Marks a timer as failed, as a node that executes SQL timers does. */
    private static void fail(EmbeddedPostgres postgres, long id) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update timers.timers set status = 2, fired_at = now(), attempts = 1, "
                    + "error = 'relation does not exist', sqlstate = '42P01' where id = " + id);
        }
    }

    private static SqlTimer.Status status(Dormouse dormouse, long id) {
        return dormouse.sqlTimers().get(new SqlTimerId(0, id)).orElseThrow().status();
    }
}
