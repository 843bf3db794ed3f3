package dev.dormouse.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LongRunningWorkflows;
import dev.dormouse.cli.PostgresServer;
import dev.dormouse.cli.ServerProcess;
import dev.dormouse.cli.Signs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The signs of PostgreSQL outages and of failed SQL timers in a separate process. */
@Tag("postgres")
@Timeout(300)
class StoreSignsTest {
    private static final int MOST_LINES = 10;
    private static final String LOCK = """
            do $$
            declare one text;
            begin
              for one in select tablename from pg_tables where schemaname = 'dormouse' loop
                execute format('lock table dormouse.%I in access exclusive mode', one);
              end loop;
            end $$
            """;

    @TempDir
    private Path folder;

    private ServerProcess serve(PostgresServer postgres) throws Exception {
        ServerProcess serving = ServerProcess.start(
                folder.resolve("log.txt"),
                List.of("env", LongRunningWorkflows.TIMERS + "=" + postgres.url()),
                "dev",
                "--port",
                "0",
                "--store",
                postgres.url(),
                "--module",
                LongRunningWorkflows.class.getName());
        for (int i = 0; i < 5; i++) {
            CliResult started =
                    CliResult.run("workflow", "start", "patrolling", "\"x\"", "--id", "p-" + i, "--url", serving.url());
            assertThat(started.code()).as(started.err()).isZero();
        }
        return serving;
    }

    private Signs signs(ServerProcess serving) {
        return new Signs(folder.resolve("log.txt"), serving.url());
    }

    @Test
    void storeOutageIsVisible() throws Exception {
        storeIsAway(Duration.ofSeconds(5));
    }

    @Test
    @Tag("long")
    void outageOfAMinuteWritesFewLogLines() throws Exception {
        storeIsAway(Duration.ofSeconds(65));
    }

    private void storeIsAway(Duration time) throws Exception {
        try (PostgresServer postgres = new PostgresServer(folder.resolve("data"))) {
            postgres.installTimers();
            try (ServerProcess serving = serve(postgres)) {
                Signs signs = signs(serving).ready();
                int before = signs.lines().size();
                signs.listen();
                postgres.stop();
                long stopped = System.nanoTime();
                signs.logs("WARN", "The store cannot be reached. Nothing is lost")
                        .metric("dormouse_store_outage{cause=\"away\"} 1.0")
                        .api("/info", "\"cause\":\"away\"", "The store cannot be reached")
                        .notReady("cannot be reached")
                        .doctor("✗ store", "The store cannot be reached");
                while (System.nanoTime() - stopped < time.toNanos()) {
                    for (String path : List.of("/api/v1/overview", "/api/v1/workflows", "/metrics")) {
                        signs.request(path); // as the dashboard and a scraper do
                    }
                    Thread.sleep(1_000);
                }
                assertFew(signs, before);
                postgres.start();
                signs.logs("INFO", "The store can be reached again, after ")
                        .metric("dormouse_store_outages_seconds_count{cause=\"away\"} 1")
                        .ready();
                assertFew(signs, before);
            }
        }
    }

    @Test
    void slowStoreIsVisible() throws Exception {
        try (PostgresServer postgres = new PostgresServer(folder.resolve("data"))) {
            postgres.installTimers();
            try (ServerProcess serving = serve(postgres)) {
                Signs signs = signs(serving).ready();
                int before = signs.lines().size();
                try (Connection other = postgres.connect();
                        Statement statement = other.createStatement()) {
                    other.setAutoCommit(false);
                    statement.execute(LOCK);
                    signs.logs("WARN", "The store is slow or locked. Nothing is lost")
                            .metric("dormouse_store_outage{cause=\"blocked\"} 1.0")
                            .api("/info", "\"cause\":\"blocked\"", "The store is slow or locked")
                            .notReady("is slow or locked")
                            .doctor("✗ store", "The store is slow or locked");
                    other.rollback();
                }
                signs.logs("INFO", "The store answers in time again, after ")
                        .metric("dormouse_store_outages_seconds_count{cause=\"blocked\"} 1")
                        .ready();
                assertFew(signs, before);
            }
        }
    }

    @Test
    void failedSqlTimerIsVisible() throws Exception {
        try (PostgresServer postgres = new PostgresServer(folder.resolve("data"))) {
            postgres.installTimers();
            try (ServerProcess serving = serve(postgres)) {
                postgres.execute("select timers.schedule_in('0 seconds', 'select 1 / 0')");
                signs(serving)
                        .logs("WARN", "SQL timer 1 of role 'postgres' has failed: division by zero (SQLSTATE 22012)")
                        .metric("dormouse_sqltimers_failed 1.0")
                        .api("/sql-timers/failed", "division by zero")
                        .prints(List.of("timer", "show", "--sql", "1"), "FAILED", "division by zero")
                        .ready()
                        .doctor("! sql timers", "1 SQL timers have failed");
            }
        }
    }

    /** Counts all log lines, of any library. */
    private static void assertFew(Signs signs, int before) throws Exception {
        List<String> lines = signs.lines();
        assertThat(lines.subList(before, lines.size())).hasSizeLessThanOrEqualTo(MOST_LINES);
    }
}
