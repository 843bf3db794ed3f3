package dev.dormouse.demo.run;

import dev.dormouse.demo.base.DemoFolder;
import dev.dormouse.demo.worker.PipeProtocol;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The main class of a process with an embedded PostgreSQL server, as durable as in production, below a folder. It stops
 * the server when its parent ends, in any way.
 */
final class EmbeddedDatabase {
    /** The data directory, below the folder. */
    static final String DATA = "postgres";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private EmbeddedDatabase() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        try (EmbeddedPostgres server = start(folder)) {
            PipeProtocol.say(
                    PipeProtocol.Word.READY,
                    "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static EmbeddedPostgres start(Path folder) throws IOException {
        Path data = folder.resolve(DATA);
        Path binaries = folder.resolve("binaries");
        Path mark = folder.resolve("postgres.started");
        if (!Files.exists(mark)) { // without the mark, existing files are from an interrupted start
            DemoFolder.deleteAll(data);
            DemoFolder.deleteAll(binaries);
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
