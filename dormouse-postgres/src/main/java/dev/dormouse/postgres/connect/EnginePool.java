package dev.dormouse.postgres.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool;
import dev.dormouse.postgres.sql.SqlErrors;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of Dormouse's own connections. It starts with its first use. Uses HikariCP's pool without its {@code
 * HikariDataSource}, which logs four lines at level INFO for each pool. Thread-safe.
 *
 * <p>HikariCP logs a WARN with a stack trace for each connection that breaks. This pool closes them itself, so that an
 * outage is reported only where all outages are: the first error which shows that the server is gone, or that it can
 * only be read, closes all idle connections, and those in use when they are returned. Connections that break while they
 * are idle are found by HikariCP's own check, without a line ({@link QuietConnections}). The only line that remains is
 * one WARN a minute for a pool that has had no connection for more than a minute.
 *
 * <p>Public only for the timers beside this package.
 */
public final class EnginePool implements DataSource, AutoCloseable {
    private final HikariConfig config;
    private volatile @Nullable HikariPool pool;
    private boolean closed;

    /** @param config has a DataSource; must not be changed from here on */
    public EnginePool(HikariConfig config) {
        this.config = config;
        config.setDataSource(QuietConnections.of(config.getDataSource()));
        config.setExceptionOverride(new SQLExceptionOverride() {
            @java.lang.Override
            public SQLExceptionOverride.Override adjudicate(SQLException e) {
                return judge(e);
            }
        });
    }

    /** Called by HikariCP for each error, on the thread that uses the connection. */
    private SQLExceptionOverride.Override judge(SQLException e) {
        HikariPool started = pool;
        if (started != null && SqlErrors.isServerLost(e)) {
            started.softEvictConnections(); // connections in use are closed when they are returned
        }
        // An eviction by HikariCP would log, and for some states (0A000) close a connection that works under its user.
        return SQLExceptionOverride.Override.DO_NOT_EVICT;
    }

    int maximumSize() {
        return config.getMaximumPoolSize();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return started().getConnection();
    }

    private synchronized HikariPool started() throws SQLException {
        if (closed) {
            throw new SQLException("the connection pool " + config.getPoolName() + " is closed");
        }
        HikariPool started = pool;
        if (started == null) {
            config.validate();
            started = new HikariPool(config);
            pool = started;
        }
        return started;
    }

    /** Closes a connection of this pool for good. */
    synchronized void evict(Connection connection) {
        HikariPool started = pool;
        if (started != null) {
            started.evictConnection(connection);
        }
    }

    @Override
    public void close() {
        HikariPool ending;
        synchronized (this) {
            closed = true;
            ending = pool;
            pool = null;
        }
        if (ending != null) {
            try {
                ending.shutdown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- other DataSource methods

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // nothing is written
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("not a wrapper for " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
