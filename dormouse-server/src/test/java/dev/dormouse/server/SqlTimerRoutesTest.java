package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.server.api.OpenApiChecker;
import dev.dormouse.server.api.OpenApiTest;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Timers that were set in SQL, over HTTP, on a real PostgreSQL. */
@Tag("postgres")
class SqlTimerRoutesTest {

    @Test
    void sqlTimersAreListedShownMovedFiredAndCancelled() throws IOException, SQLException {
        OpenApiChecker checker = new OpenApiChecker(OpenApiTest.document());
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .start();
                Dormouse dormouse = Dormouse.builder()
                        .store("jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres")
                        .open();
                DormouseServer server =
                        DormouseServer.builder().dormouse(dormouse).port(0).start();
                Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            ApiClient web = new ApiClient(
                    server.url() + "/api/v1",
                    (method, path, answer) -> checker.check(method, path, answer.status(), answer.json()));
            assertThat(web.get("/timers?kind=sql").at("/items")).isEmpty();
            assertThat(web.get("/sql-timers/1").status()).isEqualTo(404);
            set(statement);

            assertThat(web.get("/timers?order=due").at("/items").findValuesAsString("id"))
                    .containsExactly("1", "7:2", "3");
            assertThat(web.get("/timers?kind=sql").at("/items/1").toString())
                    .contains("\"kind\":\"sql\"", "\"workflowId\":null", "select '<b>'");
            assertThat(web.get("/timers/histogram?span=day").at("/total").toString())
                    .contains("3");

            ApiClient.Response shown = web.get("/sql-timers/7:2");
            assertThat(shown.text("/scheduledBy")).isEqualTo("postgres");
            assertThat(shown.text("/status")).isEqualTo("PENDING");
            assertThat(web.get("/sql-timers/3").at("/payload/json").toString()).isEqualTo("{\"a\":1}");
            assertThat(web.get("/sql-timers/3").text("/handler")).isEqualTo("mail");

            assertThat(web.post("/sql-timers/7:2/move", "{\"at\":\"2040-01-01T00:00:00Z\"}")
                            .text("/fireAt"))
                    .isEqualTo("2040-01-01T00:00:00Z");
            assertThat(web.post("/sql-timers/3/fire", null).status()).isEqualTo(200);
            assertThat(web.post("/sql-timers/1/cancel", null).text("/status")).isEqualTo("CANCELLED");
            for (String verb : Set.of("cancel", "fire")) {
                assertThat(web.post("/sql-timers/1/" + verb, null).status()).isEqualTo(409);
            }
            assertThat(web.post("/sql-timers/7:2/move", "{\"at\":\"+294275-01-01T00:00:00Z\"}")
                            .status())
                    .isEqualTo(400);
            assertThat(web.get("/sql-timers/failed").at("/items")).isEmpty();
            statement.execute(
                    "update timers.timers set status = 2, fired_at = now(), error = 'no such table' where id = 2");
            assertThat(web.get("/sql-timers/failed").at("/items").toString()).contains("7:2", "no such table");
            assertThat(web.get("/sql-timers/failed?limit=0").status()).isEqualTo(400);
            ApiClient.Response bad = web.get("/sql-timers/one");
            assertThat(bad.status()).isEqualTo(400);
            assertThat(bad.text("/error/message")).contains("like 42, or 7:42");
            Set<String> missing = checker.missing();
            missing.removeIf(operation -> !operation.contains("/sql-timers"));
            assertThat(missing).isEmpty();
        }
    }

    private static void set(Statement statement) throws SQLException {
        statement.setEscapeProcessing(false);
        statement.execute(SqlTimerNode.script());
        statement.execute("select timers.enable_role('postgres')");
        statement.execute("select timers.schedule_in('1 hour', 'select 1')");
        statement.execute("select timers.schedule_in('2 hours', $$select '<b>'$$, 7)");
        statement.execute("select timers.schedule_handler(now() + interval '3 hours', 'mail', '{\"a\":1}')");
    }
}
