package dev.dormouse.examples.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that has a PostgreSQL, from the binaries that the build brings: as durable as in production, below a folder. It
 * stops it when its parent ends, however that ended.
 */
final class Database {
    /** Below the folder. */
    static final String DATA = "postgres";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Database() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        try (EmbeddedPostgres server = start(folder)) {
            Worker.say(Wire.Word.READY, "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static EmbeddedPostgres start(Path folder) throws IOException {
        Path data = folder.resolve(DATA);
        Path binaries = folder.resolve("binaries");
        Path mark = folder.resolve("postgres.started");
        if (!Files.exists(mark)) { // if there is something all the same, somebody was stopped while making it
            Stage.deleteAll(data);
            Stage.deleteAll(binaries);
        }
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setOverrideWorkingDirectory(Files.createDirectories(binaries).toFile())
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("listen_addresses", "localhost")
                .setPGStartupWait(PATIENCE)
                .start();
        Files.writeString(mark, "");
        return server;
    }
}
