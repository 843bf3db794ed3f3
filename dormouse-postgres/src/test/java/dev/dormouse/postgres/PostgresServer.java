package dev.dormouse.postgres;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL server of one test, which can be stopped and started again with its data. */
final class PostgresServer implements AutoCloseable {
    private final EmbeddedPostgres postgres;
    private final Path data;
    private final List<String> command;

    PostgresServer(Path data) throws IOException {
        this.data = data;
        this.postgres = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        this.command = command();
    }

    String url() {
        return "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
    }

    void execute(String sql) {
        TestPostgres.execute(postgres.getPostgresDatabase(), sql);
    }

    /** Stops the server in mode fast: it ends all sessions. */
    void stop() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", String.valueOf(pid())).start().waitFor();
        await().atMost(Duration.ofSeconds(30)).until(() -> !Files.exists(data.resolve("postmaster.pid")));
    }

    /** Starts the server again on the same port. */
    void start() throws IOException {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolveSibling("postgres.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            execute("select 1");
            return true;
        });
    }

    /** Returns the command line of the server. PostgreSQL refuses to run as root, so root starts it in a user namespace. */
    private List<String> command() throws IOException {
        String line = Files.readString(Path.of("/proc", String.valueOf(pid()), "cmdline"));
        List<String> words = new ArrayList<>(List.of(line.split("\0")));
        if ("root".equals(System.getProperty("user.name"))) {
            words.addAll(0, List.of("unshare", "-U"));
        }
        return words;
    }

    private long pid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    }

    @Override
    public void close() throws IOException {
        postgres.close(); // also stops a server that was started again on its data
    }
}
