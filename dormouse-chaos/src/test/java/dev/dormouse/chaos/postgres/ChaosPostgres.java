package dev.dormouse.chaos.postgres;

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
 * A PostgreSQL server that can be stopped and restarted on the same port and with the same data, configured as durably
 * as in production. Started on first use, and stopped with this JVM. The engine's role can only use the schemas that it
 * owns.
 */
public final class ChaosPostgres {
    public static final String ENGINE = "engine";

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

    public static synchronized void stop() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static synchronized void start() {
        server = launch(EmbeddedPostgres.builder().setPort(port));
    }

    /**
     * Kills one of its processes as with {@code kill -9}: the server cuts all connections, recovers and continues by
     * itself.
     */
    public static void crash() {
        String pid = query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
        ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
    }

    /** Terminates all connections of the engine's nodes. Returns their number. */
    public static int killConnections() {
        return Integer.parseInt(query(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'dormouse'"));
    }

    public static int port() {
        return port;
    }

    /** Returns the JDBC URL for a role. */
    public static String url(String role, int atPort) {
        return "jdbc:postgresql://localhost:" + atPort + "/" + DATABASE + "?user=" + role + "&password=secret";
    }

    public static synchronized String newSchema() {
        String name = "dormouse_" + ++schemas;
        execute("create schema " + name + " authorization " + ENGINE);
        return name;
    }

    /** Returns the JDBC URL for the superuser. */
    public static String adminUrl() {
        return adminUrl(DATABASE);
    }

    private static String adminUrl(String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database + "?user=postgres";
    }

    public static void execute(String sql) {
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

    /** Returns the single value of a query. */
    public static String query(String sql) {
        try (Connection connection = DriverManager.getConnection(adminUrl());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /**
     * Deletes the data directory. The server may have been stopped by its own shutdown hook; it is gone when its pid
     * file is.
     */
    private static void delete(Path directory) {
        stop();
        for (int i = 0; i < 100 && Files.exists(directory.resolve("data/postmaster.pid")); i++) {
            LockSupport.parkNanos(100_000_000);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException left) {
            // the rest stays in the directory for temporary files
        }
    }
}
