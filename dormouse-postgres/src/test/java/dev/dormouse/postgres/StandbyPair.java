package dev.dormouse.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A primary server and a standby of it, which has what the primary had when both were started, and stays so. */
final class StandbyPair implements AutoCloseable {
    private final EmbeddedPostgres primary;
    private final EmbeddedPostgres standby;

    private StandbyPair(EmbeddedPostgres primary, EmbeddedPostgres standby) {
        this.primary = primary;
        this.standby = standby;
    }

    /** Starts both. The schema is created by a store, so that the standby has its tables. */
    static StandbyPair start(Path directory, String schema) throws IOException, SQLException {
        Path first = directory.resolve("primary");
        try (EmbeddedPostgres alone = launch(first)) {
            DataSource source = alone.getPostgresDatabase();
            TestPostgres.open(schema, source).close();
        }
        Path second = directory.resolve("standby");
        copy(first, second);
        Files.createFile(second.resolve("standby.signal"));
        return new StandbyPair(launch(first), launch(second));
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
