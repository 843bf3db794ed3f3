package dev.dormouse.postgres;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A primary server and a standby of it. */
final class StandbyPair implements AutoCloseable {
    private final EmbeddedPostgres primary;
    private final EmbeddedPostgres standby;

    private StandbyPair(EmbeddedPostgres primary, EmbeddedPostgres standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Starts both; the standby stays as the primary was then. The schema is created by a store, so both have its tables. */
    static StandbyPair start(Path directory, String schema) throws IOException, SQLException {
        return start(directory, schema, false);
    }

    /** Starts both; the standby follows the primary, a little later, until {@link #cutOff}. */
    static StandbyPair following(Path directory, String schema) throws IOException, SQLException {
        return start(directory, schema, true);
    }

    private static StandbyPair start(Path directory, String schema, boolean follows) throws IOException, SQLException {
        Path first = directory.resolve("primary");
        try (EmbeddedPostgres alone = launch(first)) {
            DataSource source = alone.getPostgresDatabase();
            TestPostgres.open(schema, source).close();
        }
        Path second = directory.resolve("standby");
        copy(first, second);
        Files.createFile(second.resolve("standby.signal"));
        EmbeddedPostgres primary = launch(first);
        if (follows) {
            Files.writeString(
                    second.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=localhost user=postgres port=" + primary.getPort() + "'\n");
        }
        return new StandbyPair(primary, launch(second));
    }

    /** Cuts the standby off from the primary. */
    void cutOff() {
        TestPostgres.execute(standby.getPostgresDatabase(), "alter system set primary_conninfo = ''");
        TestPostgres.execute(standby.getPostgresDatabase(), "select pg_reload_conf()");
        await().until(() -> query("select count(*) from pg_stat_wal_receiver") == 0);
    }

    /** The primary dies, and the standby takes its place. */
    void failOver() throws IOException {
        primary.close();
        TestPostgres.execute(standby.getPostgresDatabase(), "select pg_promote()");
    }

    /** Asks the standby for a number. */
    long query(String sql) throws SQLException {
        return number(standby.getPostgresDatabase(), sql);
    }

    long queryPrimary(String sql) throws SQLException {
        return number(primary.getPostgresDatabase(), sql);
    }

    private static long number(DataSource server, String sql) throws SQLException {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static EmbeddedPostgres launch(Path data) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            List<Path> all =
                    files.filter(file -> !file.endsWith("postmaster.pid")).toList();
            for (Path file : all) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
    }

    int primaryPort() {
        return primary.getPort();
    }

    int standbyPort() {
        return standby.getPort();
    }

    DataSource primary() {
        return primary.getPostgresDatabase();
    }

    @Override
    public void close() throws IOException {
        try (primary) {
            standby.close();
        }
    }
}
