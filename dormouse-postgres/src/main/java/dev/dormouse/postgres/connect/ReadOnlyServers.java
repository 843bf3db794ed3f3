package dev.dormouse.postgres.connect;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.ProxyConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A filter that keeps connections to read-only servers out of the pools. While a server's name leads to a standby, new
 * connections are refused, and those that turn out to be read-only (SQLSTATE 25006) are closed: left in a pool, they
 * would fail for as long as they live. Logs nothing, because the failed operation is reported as an outage of the
 * store. Thread-safe.
 *
 * <p>Public only for {@code sqltimers}.
 */
public final class ReadOnlyServers {
    private static final Logger log = LoggerFactory.getLogger(ReadOnlyServers.class);

    /** A statement that fails on a standby, for a new connection. */
    public static final String REFUSE_STANDBY = """
            do $$ begin if pg_catalog.pg_is_in_recovery() then
              raise sqlstate '25006' using message = 'the server is a standby (pg_is_in_recovery)';
            end if; end $$
            """;

    private ReadOnlyServers() {}

    /**
     * Closes a connection for good, instead of giving it back to the pool that it may be from. Any pool other than
     * HikariCP notices at its next check that the connection is closed.
     */
    static void discard(DataSource source, Connection connection) {
        try {
            if (connection instanceof ProxyConnection) {
                Connection physical = connection.unwrap(Connection.class);
                evict(source, connection);
                physical.abort(Runnable::run); // the pool has nothing left to set back or to close
            } else {
                connection.abort(Runnable::run);
                connection.close();
            }
        } catch (SQLException e) {
            log.debug("A connection is gone already.", e);
        }
    }

    private static void evict(DataSource source, Connection connection) throws SQLException {
        if (source instanceof EnginePool pool) {
            pool.evict(connection);
        } else if (source.isWrapperFor(HikariDataSource.class)) {
            source.unwrap(HikariDataSource.class).evictConnection(connection);
        } else {
            connection.close();
        }
    }
}
