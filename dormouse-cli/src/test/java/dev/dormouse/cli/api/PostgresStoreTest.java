package dev.dormouse.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.cli.ApprovalWorkflows;
import dev.dormouse.cli.CliResult;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands on a PostgreSQL store. */
@Tag("postgres")
class PostgresStoreTest {

    @Test
    void commandsWorkBesideNodes() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String store = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
            CliResult missing = CliResult.run("doctor", "--store", store);
            assertThat(missing.code()).isEqualTo(1);
            assertThat(missing.out()).contains("✗ schema", "dormouse migrate");
            assertThat(CliResult.run("migrate", "--store", store).out())
                    .isEqualTo("The tables were brought up to date.\n");
            ApprovalWorkflows desk = new ApprovalWorkflows();
            DormouseBuilder builder = Dormouse.builder().store(store);
            desk.register(builder);
            try (Dormouse dormouse = builder.open()) {
                desk.opened(dormouse);
                CliResult ran = CliResult.run(
                        "workflow", "run", "greeting", "\"Ada\"", "--id", "g", "--timeout", "30s", "--store", store);
                assertThat(ran.out()).as(ran.err()).isEqualTo("\"Hello, Ada!\"\n");
                assertThat(CliResult.run("workflow", "list", "--store", store).out())
                        .contains("COMPLETED");
                CliResult doctor = CliResult.run("doctor", "--store", store);
                assertThat(doctor.out()).contains("✓ permissions", "✓ nodes").doesNotContain("✗");
                assertThat(CliResult.run("workflow", "query", "g", "none", "--store", store)
                                .code())
                        .isNotZero();
            }
        }
    }

    @Test
    void waitsAreReportedByTheNodeWithTheCodeAndCanBeMoved() throws IOException, SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String store = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
            DormouseBuilder builder = Dormouse.builder().store(store);
            new ApprovalWorkflows().register(builder);
            try (Dormouse node = builder.open()) {
                assertThat(CliResult.run("workflow", "start", "nap", "2", "--id", "n", "--store", store)
                                .code())
                        .isZero();
                await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    CliResult show = CliResult.run("workflow", "show", "n", "--store", store);
                    assertThat(show.out()).contains("Waits for the end of a sleep", "ApprovalWorkflows.java");
                });
                try (Connection connection = postgres.getPostgresDatabase().getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("create role reader login; grant usage on schema dormouse to reader; "
                            + "grant select on all tables in schema dormouse to reader");
                }
                String reading = store.replace("user=postgres", "user=reader");
                CliResult read = CliResult.run("workflow", "show", "n", "--store", reading);
                assertThat(read.err()).isEmpty();
                assertThat(read.out()).contains("n  WAITING  nap");
                CliResult moved = CliResult.run("workflow", "move", "n", "--in", "0s", "--store", store);
                assertThat(moved.err()).isEmpty();
                assertThat(moved.out()).isEqualTo("Moved wait 0 of n.\n");
                assertThat(node.find("n", String.class).orElseThrow().result(Duration.ofSeconds(30)))
                        .isEqualTo("slept");
                WorkflowHandle<String> open = node.start("nap", "open", String.class, 2);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> open.describe().status() == RunStatus.WAITING);
            }
            CliResult unknown = CliResult.run("workflow", "show", "open", "--store", store, "-o", "json");
            assertThat(unknown.out()).contains("\"waits\" : null"); // no node has the code any more
            CliResult refused = CliResult.run("workflow", "move", "open", "--in", "0s", "--store", store);
            assertThat(refused.code()).isEqualTo(4);
            assertThat(refused.err()).contains("no live node has the code of nap");
        }
    }

    @Test
    void doctorNamesSettingsThatReduceDurability() throws IOException, SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String store = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
            CliResult.run("migrate", "--store", store);
            CliResult before = CliResult.run("doctor", "--store", store);
            assertThat(before.out()).contains("! settings", "fsync = off").doesNotContain("full_page_writes", "✗");
            try (Connection connection = postgres.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("alter role postgres set synchronous_commit = off");
                statement.execute("alter role postgres set statement_timeout = '5s'");
                statement.execute("alter database postgres set session_replication_role = replica");
            }
            CliResult after = CliResult.run("doctor", "--store", store);
            assertThat(after.code()).isEqualTo(1);
            assertThat(after.out())
                    .contains(
                            "synchronous_commit = off (user)",
                            "statement_timeout = 5000ms (user)",
                            "✗ settings",
                            "session_replication_role = replica (database)");
        }
    }

    @Test
    void timersSetInSqlAreListedAndChanged() throws IOException, SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String store = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
            CliResult.run("migrate", "--store", store);
            assertThat(CliResult.run("timer", "show", "--sql", "1", "--store", store)
                            .code())
                    .isEqualTo(3);
            try (Connection connection = postgres.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                statement.execute(SqlTimerNode.script());
                statement.execute("select timers.enable_role('postgres')");
                statement.execute("select timers.schedule_in('1 hour', 'select 17'); "
                        + "select timers.schedule_in('2 hours', 'select 18', 7)");
            }
            assertThat(CliResult.run("timer", "list", "--store", store).out())
                    .containsSubsequence("sql", "1", "select 17", "sql", "7:2", "select 18");
            assertThat(CliResult.run("timer", "list", "--kind", "sql", "-o", "ids", "--store", store)
                            .out())
                    .isEqualTo("1\n7:2\n");
            assertThat(CliResult.run("timer", "show", "--sql", "7:2", "--store", store)
                            .out())
                    .contains("Timer 7:2: PENDING", "role", "postgres", "select 18");
            assertThat(CliResult.run("timer", "cancel", "--sql", "1", "--store", store)
                            .out())
                    .startsWith("Cancelled 1: CANCELLED");
            CliResult again = CliResult.run("timer", "fire", "--sql", "1", "--store", store);
            assertThat(again.code()).isEqualTo(4);
            assertThat(again.err()).contains("Expected timer 1 to be fired").doesNotContain("\tat ");
            assertThat(CliResult.run("timer", "move", "--sql", "7:2", "--in", "3h", "--store", store)
                            .out())
                    .startsWith("Moved 7:2: PENDING");
            CliResult wrong = CliResult.run("timer", "show", "--sql", "one", "--store", store);
            assertThat(wrong.code()).isEqualTo(2);
            assertThat(wrong.err()).contains("like 42, or 7:42");
            assertThat(CliResult.run("timer", "histogram", "--span", "day", "-o", "json", "--store", store)
                            .out())
                    .contains("\"total\"");
        }
    }

    @Test
    void unreachableDatabaseIsReportedInOneSentence() {
        String store = "jdbc:postgresql://localhost:1/nothing?user=nobody&password=secret";
        CliResult list = CliResult.run("workflow", "list", "--store", store);
        assertThat(list.code()).isEqualTo(5);
        assertThat(list.err()).startsWith("dormouse: [DM2005]").doesNotContain("\tat ", "secret");
        CliResult doctor = CliResult.run("doctor", "--store", store);
        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.out()).contains("✗ reachable").doesNotContain("secret");
    }
}
