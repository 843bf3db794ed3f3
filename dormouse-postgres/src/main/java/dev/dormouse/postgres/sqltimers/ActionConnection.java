package dev.dormouse.postgres.sqltimers;

import dev.dormouse.store.base.Micros;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A connection that is logged in as a role, for actions that this role has scheduled. Each run is one message to the
 * server with its own transaction: no crash can separate an action's effects from the record that it fired.
 *
 * <p>Used by one thread at a time, except {@link #cut}, which any thread may call.
 */
public final class ActionConnection {
    private static final int PING_SECONDS = 5;

    /**
     * Repeats the settings of the login, which a pooler may not have passed on. A server that lost the client ends the
     * transaction.
     */
    private static final String BEGIN = "begin isolation level read committed read write; "
            + "set local client_connection_check_interval = 2000; "
            + "set local client_min_messages = error; set local statement_timeout = ";

    private final Connection connection;
    private final int pid;
    private long idleSince;

    ActionConnection(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_catalog.pg_backend_pid()")) {
            row.next();
            this.pid = row.getInt(1);
        }
    }

    /** Returns the process id of the server process. */
    int pid() {
        return pid;
    }

    /**
     * The result of a batch.
     *
     * @param taken the number of due timers, up to the requested number; those that did not run are pending again
     * @param apart the number of timers that must run alone
     */
    record Batch(int taken, int fired, int apart, Instant last) {}

    /**
     * Runs a batch.
     *
     * @param budget the time after which no other action is started
     * @param longest the time after which the running action is stopped
     */
    Batch runBatch(int most, Instant floor, Duration budget, Duration longest) throws SQLException {
        String sql = BEGIN + longest.toMillis() + "; select taken, fired, apart, last from timers._run_batch(" + most
                + ", " + Micros.of(floor) + ", " + budget.toMillis() + "); commit";
        return run(
                sql, row -> new Batch(row.getInt(1), row.getInt(2), row.getInt(3), Micros.toInstant(row.getLong(4))));
    }

    /** Runs one action alone. Returns true if the action has failed; the failure is then recorded. */
    boolean runOne(ActionStatements.Due timer) throws SQLException {
        String sql = BEGIN + timer.timeout().toMillis() + "; select timers._run_one(" + timer.id() + ", "
                + timer.shardKey() + "); commit";
        return run(sql, row -> "failed".equals(row.getString(1)));
    }

    /**
     * The result of setting timers apart.
     *
     * @param alive the number of lost sessions that have not ended and may still hold timers
     */
    record Apart(int done, int alive) {}

    /** Makes all timers that a batch might take run alone, except those held by lost sessions that have not ended. */
    Apart setApart(int most, Collection<Integer> lost) throws SQLException {
        String pids = lost.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
        return run(
                "select done, alive from timers._set_apart(" + most + ", '" + pids + "')",
                row -> new Apart(row.getInt(1), row.getInt(2)));
    }

    /** Ends another session of the same role. */
    void terminate(int otherPid) throws SQLException {
        run("select pg_catalog.pg_terminate_backend(" + otherPid + ")", row -> row.getBoolean(1));
    }

    private <T> T run(String sql, Reader<T> reader) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            boolean rows = statement.execute(sql);
            while (!rows && statement.getUpdateCount() != -1) {
                rows = statement.getMoreResults();
            }
            try (ResultSet row = statement.getResultSet()) {
                if (row == null || !row.next()) {
                    throw new SQLException("Expected an answer of schema timers, but there is none.");
                }
                return reader.read(row);
            }
        }
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Discards all session state that the next action could find. */
    void clean(long now) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("discard all");
        }
        idleSince = now;
    }

    Duration idle(long now) {
        return Duration.ofNanos(now - idleSince);
    }

    boolean isAlive() throws SQLException {
        return connection.isValid(PING_SECONDS);
    }

    /** Aborts the connection. May be called from any thread, even during a statement. */
    void cut() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e); // the driver throws none
        }
    }
}
