package dev.dormouse.benchmarks.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * A database of a PostgreSQL server. Statistics are read on one connection to the server's default database, so that
 * their queries are not counted. Not thread-safe.
 */
final class PostgresDatabase implements BenchDatabase, DatabaseStatistics {
    private static final String STATEMENTS = """
            select coalesce(sum(calls), 0) from pg_stat_statements join pg_database d on d.oid = dbid
            where datname = '%s'
            """;

    /** Without the extension, transactions are counted instead of statements: those of Dormouse have one each. */
    private static final String TRANSACTIONS = "select xact_commit from pg_stat_database where datname = '%s'";

    private final ServerUrl server;
    private final String name;
    private final boolean countsStatements;
    private final Optional<ServerProcess> process;
    private final Connection statistics;

    /** @param process the server's process; empty if it may run on another machine */
    PostgresDatabase(ServerUrl server, String name, boolean countsStatements, Optional<ServerProcess> process) {
        this.server = server;
        this.name = name;
        this.countsStatements = countsStatements;
        this.process = process;
        this.statistics = SingleStatements.connect(server.of("postgres"));
    }

    @Override
    public String url() {
        return server.of(name);
    }

    @Override
    public Optional<DatabaseStatistics> insight() {
        return Optional.of(this);
    }

    @Override
    public long statements() {
        return number(countsStatements ? STATEMENTS : TRANSACTIONS);
    }

    @Override
    public long commits() {
        return number("select pg_snapshot_xmax(pg_current_snapshot())");
    }

    @Override
    public long walBytes() {
        return number("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
    }

    @Override
    public Optional<Duration> processorTime() {
        return process.map(ServerProcess::processorTime);
    }

    @Override
    public Spent spent(String text) {
        if (!countsStatements) {
            return new Spent(0, 0);
        }
        String condition = """
                 from pg_stat_statements join pg_database d on d.oid = dbid
                where datname = '%s' and strpos(query, '""" + text + "') > 0";
        return new Spent(
                number("select coalesce(sum(calls), 0)" + condition),
                Double.parseDouble(ask("select coalesce(sum(total_exec_time), 0)" + condition)));
    }

    @Override
    public long bytes() {
        return number("select pg_database_size('%s')");
    }

    private long number(String query) {
        return (long) Double.parseDouble(ask(query));
    }

    private String ask(String query) {
        return SingleStatements.value(statistics, query.formatted(name));
    }

    @Override
    public AutoCloseable holdSnapshot() {
        try {
            Connection connection = DriverManager.getConnection(url());
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = connection.createStatement()) {
                statement.execute("select count(*) from pg_class");
            }
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException("Expected to hold a snapshot, but: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        SingleStatements.close(statistics);
        SingleStatements.execute(server.of("postgres"), "drop database if exists " + name + " with (force)");
    }
}
