package dev.dormouse.postgres;

import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreConfig;
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
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL, started once for all tests of a JVM and stopped with it, as durable as in production. Each schema
 * that is asked for is new, and belongs to a role that owns nothing else and may do nothing else: the engine's.
 */
public final class TestPostgres {
    public static final String ROLE = "engine";
    public static final String DATABASE = "app";

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private TestPostgres() {}

    /** Started by the first who asks. */
    private static final class Server {
        static final EmbeddedPostgres INSTANCE = start();

        private static EmbeddedPostgres start() {
            try {
                EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("shared_buffers", "256MB")
                        .setServerConfig("max_wal_size", "4GB")
                        .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                        .setServerConfig("timezone", "Asia/Kathmandu")
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .setRegisterShutdownHook(false)
                        .start();
                ProcessHandle process = processOf(server);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, process)));
                createRole(server.getPostgresDatabase());
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The server itself: what started it has long ended. */
        private static ProcessHandle processOf(EmbeddedPostgres server) throws IOException {
            String directory = query(server.getPostgresDatabase(), "show data_directory");
            String pid =
                    Files.readAllLines(Path.of(directory, "postmaster.pid")).get(0);
            return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        }

        /**
         * Stops the server without a checkpoint, because its data is deleted next. On a busy machine a checkpoint takes
         * longer than surefire grants a JVM to end.
         */
        private static void stop(EmbeddedPostgres server, ProcessHandle process) {
            try (server) {
                new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid())).start();
                process.onExit().get(10, TimeUnit.SECONDS);
            } catch (IOException | InterruptedException | ExecutionException | TimeoutException e) {
                System.err.println("Could not stop PostgreSQL in order: " + e);
            } finally {
                process.destroyForcibly();
            }
        }

        private static void createRole(DataSource postgres) {
            execute(postgres, "create role " + ROLE + " login nosuperuser nocreatedb nocreaterole password 'secret'");
            execute(postgres, "create database " + DATABASE);
        }
    }

    /** A DataSource without a pool, as the superuser. */
    public static DataSource admin() {
        return admin(DATABASE);
    }

    public static DataSource admin(String database) {
        return Server.INSTANCE.getDatabase("postgres", database);
    }

    /** A DataSource without a pool, as the engine's role. */
    public static PGSimpleDataSource engine() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(url());
        return dataSource;
    }

    public static int port() {
        return Server.INSTANCE.getPort();
    }

    /** Where the engine's role connects to. */
    public static String url() {
        return "jdbc:postgresql://localhost:" + port() + "/" + DATABASE + "?user=" + ROLE + "&password=secret";
    }

    /** A new schema that the engine's role owns. */
    public static String newSchema() {
        String name = "dormouse_" + SCHEMAS.incrementAndGet();
        createSchema(name);
        return name;
    }

    public static void createSchema(String name) {
        execute(admin(), "create schema " + new Schema(name).quoted() + " authorization " + ROLE);
    }

    /** Deletes the rows of all tables that a store has created in a schema, and drops the table of a test's own. */
    public static void empty(String schema) {
        String quoted = new Schema(schema).quoted();
        execute(admin(), """
                do $$
                declare name text;
                begin
                    drop table if exists %1$s.mine;
                    for name in select tablename from pg_tables where schemaname = '%2$s' and tablename not in ('meta', 'schema_version')
                    loop
                        execute format('delete from %1$s.%%I', name);
                    end loop;
                end $$
                """.formatted(quoted, schema));
    }

    public static Store open(String schema) {
        return open(schema, 1);
    }

    public static Store open(String schema, int shards) {
        return new PostgresStoreProvider()
                .open(new StoreConfig(url(), Optional.empty(), schema, shards, true, InstantSource.system()));
    }

    public static Store open(String schema, DataSource dataSource) {
        return new PostgresStoreProvider()
                .open(new StoreConfig("", Optional.of(dataSource), schema, 1, true, InstantSource.system()));
    }

    public static void execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The one value of a query, as text. */
    public static String query(String sql) {
        return query(admin(), sql);
    }

    private static String query(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** A connection of the engine's role that nobody has set up. */
    public static Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }
}
