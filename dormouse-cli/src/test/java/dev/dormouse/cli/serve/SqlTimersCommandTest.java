package dev.dormouse.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.Main;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command {@code dormouse timers}. */
@Tag("postgres")
class SqlTimersCommandTest {

    @Test
    void usageIsPrinted() {
        assertThat(CliResult.run("--help").out()).contains("timers", "COMMAND");
        CliResult help = CliResult.run("timers", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("--store", "--enable-role", "--print-sql", "schedule_in", "$$delete");
    }

    @Test
    void invalidArgumentsAreExplained() {
        for (List<String> arguments : List.of(
                List.<String>of(),
                List.of("timr"),
                List.of("timers"),
                List.of("timers", "--store", "sqlite:x.db"),
                List.of("timers", "--stoer", "x"),
                List.of("timers", "--store", "jdbc:postgresql://localhost/x", "--login", "a=NOT_SET_AT_ALL"))) {
            CliResult ran = CliResult.run(arguments.toArray(String[]::new));
            assertThat(ran.code()).as("%s", arguments).isEqualTo(2);
            assertThat(ran.err())
                    .containsAnyOf("Usage:", "Did you mean", "Possible solutions")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void unreachableDatabaseIsReportedInOneSentence() {
        CliResult ran =
                CliResult.run("timers", "--store", "jdbc:postgresql://localhost:1/nothing?user=nobody&password=secret");
        assertThat(ran.code()).isEqualTo(5);
        assertThat(ran.err()).startsWith("dormouse: ").doesNotContain("\tat ", "secret");
    }

    @Test
    void scriptIsPrinted() {
        CliResult ran = CliResult.run("timers", "--print-sql");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("create schema timers", "schedule_at");
    }

    /** Starts a separate process that installs the schema, fires a timer and is then stopped. */
    @Test
    void timersFireUntilTheProcessIsStopped() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String admin = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
            execute(admin, "create role node login", "create role app login", "create table ledger (id int)");
            execute(admin, "grant create on database postgres to node", "grant insert on ledger to node, app");
            Process process = start("jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=node");
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(out.readLine()).startsWith("Firing timers");
                String node = admin.replace("user=postgres", "user=node");
                execute(node, "select timers.schedule_in('100 milliseconds', 'insert into ledger values (1)')");
                execute(admin, "grant execute on all functions in schema timers to app");
                execute(
                        admin.replace("user=postgres", "user=app"),
                        "select timers.schedule_in('100 milliseconds', 'insert into ledger values (2)')");
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> count(admin) == 2);
                process.destroy();
                assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process start(String url) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("timers", "--store", url, "--enable-role", "app"));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static int count(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from ledger")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
