package dev.dormouse.postgres.connect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that are lent for transactions with a user's statements: a few at a time, and never the engine's.
 *
 * <p>With a URL, the connections are pooled, and session state that a user's statements leave behind (settings,
 * temporary tables, advisory locks, prepared statements) is discarded before the next use. Connections of a user's
 * DataSource are borrowed for one transaction each, and returned with everything that we changed restored; state that
 * the user's statements leave in them is up to the user, as everywhere else the DataSource is used.
 *
 * <p>Concurrency: thread-safe. A fair semaphore bounds the number of lent connections; a caller waits up to five
 * seconds.
 */
public final class UserConnections implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(UserConnections.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DataSource source;
    private final Optional<EnginePool> ours;
    private final int most;
    private final Semaphore room;

    private UserConnections(DataSource source, Optional<EnginePool> ours, int most) {
        this.source = source;
        this.ours = ours;
        this.most = most;
        this.room = new Semaphore(most, true);
    }

    static UserConnections pooled(EnginePool pool) {
        return new UserConnections(pool, Optional.of(pool), pool.maximumSize());
    }

    static UserConnections borrowed(DataSource users, int most) {
        return new UserConnections(users, Optional.empty(), most);
    }

    /** A connection that begins a transaction with its next statement, and its previous settings. */
    public record Lent(Connection connection, boolean autoCommit, int networkTimeoutMillis) {}

    public Lent lend() throws SQLException {
        takeRoom();
        boolean isLent = false;
        try {
            Lent lent = setUp(borrow());
            isLent = true;
            return lent;
        } finally {
            if (!isLent) {
                room.release();
            }
        }
    }

    private Connection borrow() throws SQLException {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw ours.isPresent()
                    ? e
                    : new SQLTransientConnectionException(
                            "the DataSource gave no connection for a transaction with a user's statements, beside those "
                                    + "that Dormouse has borrowed: " + e.getMessage(),
                            e.getSQLState(),
                            e);
        }
    }

    private void takeRoom() throws SQLException {
        try {
            if (room.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new SQLTransientConnectionException(
                "all " + most + " connections for transactions with a user's statements are in use");
    }

    private Lent setUp(Connection connection) throws SQLException {
        try {
            Lent lent = new Lent(connection, connection.getAutoCommit(), connection.getNetworkTimeout());
            connection.setNetworkTimeout(
                    Runnable::run, (int) SessionSettings.USER.networkTimeout().toMillis());
            connection.setAutoCommit(false);
            return lent;
        } catch (SQLException e) {
            ReadOnlyServers.discard(source, connection);
            throw e;
        }
    }

    /** Returns a connection and rolls back what was not committed. Must be called once. */
    public void takeBack(Lent lent) {
        try {
            cleanUp(lent);
            lent.connection.close();
        } catch (SQLException e) {
            log.debug("Could not restore a connection after a transaction; it is discarded.", e);
            ReadOnlyServers.discard(source, lent.connection);
        } finally {
            room.release();
        }
    }

    /** Discards a connection on which no transaction could begin. Called once, instead of {@link #takeBack}. */
    public void discard(Lent lent) {
        ReadOnlyServers.discard(source, lent.connection);
        room.release();
    }

    private void cleanUp(Lent lent) throws SQLException {
        Connection connection = lent.connection;
        connection.rollback();
        if (ours.isPresent()) {
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("discard all");
            }
        }
        connection.setAutoCommit(lent.autoCommit);
        connection.setNetworkTimeout(Runnable::run, lent.networkTimeoutMillis);
    }

    @Override
    public void close() {
        ours.ifPresent(EnginePool::close);
    }
}
