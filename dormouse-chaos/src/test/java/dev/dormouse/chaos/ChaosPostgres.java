package dev.dormouse.chaos;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A real PostgreSQL that can be stopped and started again, on the same port and with the same data, as durable as in
 * production. Started by the first who asks, and stopped with this JVM. The engine's role may do nothing but use the
 * schemas that it owns.
 */
final class ChaosPostgres {
    static final String ENGINE = "engine";

    private static final String DATABASE = "app";
    private static final Path DATA = newDirectory();
    private static int port;
    private static int schemas;
    private static EmbeddedPostgres server = firstStart();

    private ChaosPostgres() {}

    private static Path newDirectory() {
        try {
            Path directory = Files.createTempDirectory("dormouse-chaos");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgres firstStart() {
        EmbeddedPostgres first = launch(EmbeddedPostgres.builder());
        port = first.getPort();
        execute("postgres", "create role " + ENGINE + " login nosuperuser nocreatedb nocreaterole password 'secret'");
        execute("postgres", "create database " + DATABASE);
        execute("create extension pg_stat_statements");
        return first;
    }

    private static EmbeddedPostgres launch(EmbeddedPostgres.Builder builder) {
        try {
            return builder.setDataDirectory(DATA.resolve("data"))
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("shared_buffers", "256MB")
                    .setServerConfig("max_wal_size", "4GB")
                    .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                    .setServerConfig("timezone", "Asia/Kathmandu")
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static synchronized void stop() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static synchronized void start() {
        server = launch(EmbeddedPostgres.builder().setPort(port));
    }

    /** As by {@code kill -9} of one of its processes: the server cuts all connections, recovers and goes on by itself. */
    static void crash() {
        String pid = query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
        ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
    }

    /** Ends all connections of the engine's nodes; tells how many. */
    static int killConnections() {
        return Integer.parseInt(query(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'dormouse'"));
    }

    static int port() {
        return port;
    }

    /** Where a role connects to. */
    static String url(String role, int atPort) {
        return "jdbc:postgresql://localhost:" + atPort + "/" + DATABASE + "?user=" + role + "&password=secret";
    }

    static synchronized String newSchema() {
        String name = "dormouse_" + ++schemas;
        execute("create schema " + name + " authorization " + ENGINE);
        return name;
    }

    /** Where the superuser connects to. */
    static String adminUrl() {
        return adminUrl(DATABASE);
    }

    private static String adminUrl(String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database + "?user=postgres";
    }

    static void execute(String sql) {
        execute(DATABASE, sql);
    }

    private static void execute(String database, String sql) {
        try (Connection connection = DriverManager.getConnection(adminUrl(database));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The one value of a query. */
    static String query(String sql) {
        try (Connection connection = DriverManager.getConnection(adminUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The server may have been told to stop by a hook of its own: it is gone when its pid file is. */
    private static void delete(Path directory) {
        stop();
        for (int i = 0; i < 100 && Files.exists(directory.resolve("data/postmaster.pid")); i++) {
            LockSupport.parkNanos(100_000_000);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException left) {
            // it is in the directory for temporary files
        }
    }
}
