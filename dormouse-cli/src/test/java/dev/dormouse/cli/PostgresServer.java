package dev.dormouse.cli;

import static org.awaitility.Awaitility.await;

import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL server that can be stopped and restarted with its data. */
public final class PostgresServer implements AutoCloseable {
    private final EmbeddedPostgres postgres;
    private final Path data;
    private final List<String> command;

    public PostgresServer(Path data) throws IOException {
        this.data = data;
        this.postgres = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        this.command = command();
    }

    public String url() {
        return "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres";
    }

    public Connection connect() throws SQLException {
        return postgres.getPostgresDatabase().getConnection();
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    /** Installs the schema of SQL timers. */
    public void installTimers() throws SQLException {
        execute(SqlTimerNode.script());
        execute("select timers.enable_role('postgres')");
    }

    /** Stops the server in fast mode. */
    public void stop() throws IOException, InterruptedException {
        long pid = pid();
        new ProcessBuilder("kill", "-INT", String.valueOf(pid)).start().waitFor();
        await().atMost(Duration.ofSeconds(30)).until(() -> !Files.exists(data.resolve("postmaster.pid")));
    }

    /** Restarts the server. */
    public void start() throws IOException {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolveSibling("postgres.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            execute("select 1");
            return true;
        });
    }

    /** Returns the command of the running server. PostgreSQL refuses to run as root, so root runs it in a user namespace. */
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
        postgres.close(); // also stops a restarted server
    }
}
