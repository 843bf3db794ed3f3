package dev.dormouse.postgres.connect;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.SqlErrors;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.common.BaseDataSource;

/**
 * A DataSource of connections with the engine's session settings. A connection that was borrowed from a user's
 * DataSource, which may be a pool, gets its previous settings back on close, so that the engine's settings do not
 * affect the user's statements. Thread-safe.
 */
final class EngineDataSource implements DataSource {
    /**
     * The maximum number of consecutive standby connections that are taken out of a user's pool; the next one may be
     * newer.
     */
    private static final int MOST_STALE = 10;

    private final DataSource source;
    private final SessionSettings settings;
    private final boolean borrowed;
    private final boolean mayBeStale;

    EngineDataSource(DataSource source, SessionSettings settings, boolean borrowed) {
        this.source = source;
        this.settings = settings;
        this.borrowed = borrowed;
        this.mayBeStale = borrowed && !(source instanceof BaseDataSource);
    }

    @Override
    public Connection getConnection() throws SQLException {
        int stale = mayBeStale ? MOST_STALE : 0;
        while (true) {
            Connection connection = source.getConnection();
            try {
                return setUp(connection);
            } catch (SQLException e) {
                ReadOnlyServers.discard(source, connection);
                if (!SqlErrors.isReadOnly(e) || stale-- == 0) {
                    throw e;
                }
            }
        }
    }

    private Connection setUp(Connection connection) throws SQLException {
        EngineSession wanted = EngineSession.of(settings);
        if (!borrowed) {
            wanted.apply(connection);
            Epoch.rememberCluster(connection);
            return connection;
        }
        EngineSession before = EngineSession.read(connection, wanted.settings().keySet());
        wanted.apply(connection);
        return givenBackAs(before, connection);
    }

    private Connection givenBackAs(EngineSession before, Connection connection) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                EngineDataSource.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        if (closed.compareAndSet(false, true)) {
                            giveBack(before, connection);
                        }
                        return null;
                    }
                    if (method.getName().equals("abort")) {
                        if (closed.compareAndSet(false, true)) {
                            ReadOnlyServers.discard(source, connection); // leaves nothing to be set back
                        }
                        return null;
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /**
     * Restores and returns a connection. A connection that cannot be restored is discarded: it must not be reused as it
     * is.
     */
    private void giveBack(EngineSession before, Connection connection) throws SQLException {
        try {
            if (!connection.isClosed()) {
                before.apply(connection);
            }
            connection.close();
        } catch (SQLException e) {
            ReadOnlyServers.discard(source, connection);
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    /** Has no effect: the user's DataSource must not be changed. */
    @Override
    public void setLoginTimeout(int seconds) {}

    /** Returns the time that the pool gives its own threads to end, in seconds. */
    @Override
    public int getLoginTimeout() {
        return 5;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
