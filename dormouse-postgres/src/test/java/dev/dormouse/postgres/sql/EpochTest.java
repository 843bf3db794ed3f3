package dev.dormouse.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.postgres.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Detection of possibly lost commits. */
class EpochTest {

    private static String epoch(Connection connection) throws SQLException {
        return value(connection, Epoch.best(connection).expression());
    }

    private static String value(Connection connection, String expression) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select " + expression)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static String epochAfterStarting(Path data, boolean recover) throws IOException, SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setDataDirectory(data)
                        .setCleanDataDirectory(false)
                        .setServerConfig("restore_command", recover ? "false" : "")
                        .start();
                Connection connection = server.getPostgresDatabase().getConnection()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> value(connection, "pg_is_in_recovery()").equals("f"));
            return epoch(connection);
        }
    }

    /** A promoted standby also starts to write on a new timeline. */
    @Test
    void recoveryToAnotherTimelineIsAnotherEpochAndARestartIsNot(@TempDir Path directory) throws Exception {
        Path data = directory.resolve("data");
        String first = epochAfterStarting(data, false);
        assertThat(epochAfterStarting(data, false)).isEqualTo(first);
        Files.createFile(data.resolve("recovery.signal"));
        String recovered = epochAfterStarting(data, true);
        assertThat(recovered).isNotEqualTo(first).endsWith("/00000002");
        assertThat(epochAfterStarting(data, false)).isEqualTo(recovered);
    }

    @Test
    void sessionThatRemembersItsClusterHasTheSameEpoch() throws SQLException {
        try (Connection connection = TestPostgres.engine().getConnection()) {
            String asked = epoch(connection);
            Epoch.rememberCluster(connection);
            assertThat(value(connection, "current_setting('dormouse.cluster')"))
                    .isEqualTo(asked.substring(0, asked.indexOf('/')));
            assertThat(epoch(connection)).isEqualTo(asked);
            value(connection, "set_config('dormouse.cluster', '', false)"); // as after a rollback
            assertThat(epoch(connection)).isEqualTo(asked);
        }
    }

    @Test
    void roleThatMayAskForNothingTakesTheStartOfTheServer() throws SQLException {
        TestPostgres.execute(TestPostgres.admin(), "create database secretive");
        var admin = TestPostgres.admin("secretive");
        TestPostgres.execute(admin, "revoke execute on function pg_control_system() from public");
        var engine = TestPostgres.engine();
        engine.setDatabaseName("secretive");
        try (Connection connection = engine.getConnection()) {
            Epoch.rememberCluster(connection);
            assertThat(epoch(connection)).isEqualTo("00000001");
        }
        TestPostgres.execute(admin, "revoke execute on function pg_walfile_name(pg_lsn) from public");
        try (Connection connection = engine.getConnection()) {
            assertThat(epoch(connection))
                    .isEqualTo(TestPostgres.query(
                            "select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint"));
        }
    }
}
