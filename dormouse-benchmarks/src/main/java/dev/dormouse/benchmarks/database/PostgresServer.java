package dev.dormouse.benchmarks.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server: started here with binaries from Maven and settings as durable as in production, or an existing
 * one. The settings are read back from the server before anything is measured.
 */
public final class PostgresServer implements DatabaseServer {
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");
    private static final List<String> TOLD =
            List.of("shared_buffers", "max_wal_size", "max_connections", "wal_sync_method");

    private final AtomicInteger databases = new AtomicInteger();
    private final ServerUrl url;
    private final AutoCloseable stop;
    private final Optional<ServerProcess> process;
    private final boolean countsStatements;

    /** @param isOurs true if it was started here, so that it runs on this machine */
    private PostgresServer(ServerUrl url, AutoCloseable stop, boolean isOurs) {
        this.url = url;
        this.stop = stop;
        checkDurable();
        this.process = isOurs ? ServerProcess.of(url) : Optional.empty();
        this.countsStatements =
                SingleStatements.works(url.of("postgres"), "create extension if not exists pg_stat_statements");
    }

    /** Starts a server, which ends with this process at the latest. */
    public static PostgresServer start() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("shared_buffers", "256MB")
                    .setServerConfig("max_wal_size", "4GB")
                    .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
            return new PostgresServer(
                    new ServerUrl("jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres"),
                    server,
                    true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Uses an existing server, by the URL of one of its databases and of a role that may create databases. */
    public static PostgresServer at(String jdbcUrl) {
        return new PostgresServer(new ServerUrl(jdbcUrl), () -> {}, false);
    }

    private void checkDurable() {
        for (String setting : DURABLE) {
            String value = show(setting);
            if (!value.equals("on")) {
                throw new IllegalStateException("Expected a PostgreSQL with " + setting + " = on, but it is " + value
                        + ". Rates without durability say nothing: switch it on.");
            }
        }
    }

    @Override
    public List<String> description() {
        List<String> lines = new ArrayList<>();
        lines.add("PostgreSQL " + show("server_version"));
        DURABLE.forEach(setting -> lines.add(setting + " = " + show(setting)));
        TOLD.forEach(setting -> lines.add(setting + " = " + show(setting)));
        return lines;
    }

    private String show(String setting) {
        return SingleStatements.value(url.of("postgres"), "show " + setting);
    }

    @Override
    public BenchDatabase newDatabase() {
        String name = "dormouse_bench_" + ProcessHandle.current().pid() + "_" + databases.incrementAndGet();
        SingleStatements.execute(url.of("postgres"), "create database " + name);
        return new PostgresDatabase(url, name, countsStatements, process);
    }

    @Override
    public void close() {
        try {
            stop.close();
        } catch (Exception e) {
            throw new IllegalStateException("Expected PostgreSQL to stop, but it did not.", e);
        }
    }
}
