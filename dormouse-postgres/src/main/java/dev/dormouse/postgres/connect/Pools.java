package dev.dormouse.postgres.connect;

import com.zaxxer.hikari.HikariConfig;
import dev.dormouse.postgres.notify.PromptSockets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The engine's connections, pooled by purpose. Renewals have their own connection, so that other work cannot make a
 * node lose its leases; so have notifications and transactions with a user's statements ({@link UserConnections}). Over
 * a user's DataSource the same pools borrow connections from it, fewer of them, and return connections that were idle
 * for a minute.
 */
public final class Pools implements AutoCloseable {
    private static final Duration WAIT_FOR_CONNECTION = Duration.ofSeconds(5);
    private static final Duration VALIDATION = Duration.ofSeconds(2);
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final int CONNECT_TIMEOUT_SECONDS = 5;

    private final DataSource source;
    private final DataSource listening;
    private final boolean borrowed;
    private final EnginePool work;
    private final EnginePool start;
    private final EnginePool renew;
    private final EnginePool notices;
    private final UserConnections users;

    private Pools(DataSource source, DataSource listening, boolean borrowed, ConnectionBudget capacity) {
        this.source = source;
        this.listening = listening;
        this.borrowed = borrowed;
        this.work = pool("work", SessionSettings.WORK, 1, capacity.work());
        this.start = pool("start", SessionSettings.START, 1, borrowed ? 1 : 2);
        this.renew = pool("renew", SessionSettings.WORK, 0, 1);
        this.notices = pool("notify", SessionSettings.WORK, 0, 1);
        this.users = borrowed
                ? UserConnections.borrowed(source, capacity.users())
                : UserConnections.pooled(pool("user", source, 0, capacity.users()));
    }

    /** Opens pools with our own connections. Timeouts in the URL are kept. */
    public static Pools toUrl(String url) {
        PGSimpleDataSource listening = driver(url);
        PromptSockets.useFor(listening);
        return new Pools(driver(url), listening, false, ConnectionBudget.OWN);
    }

    private static PGSimpleDataSource driver(String url) {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setURL(url);
        driver.setTcpKeepAlive(true);
        driver.setLogServerErrorDetail(false); // it repeats rows, payloads included
        if (!url.contains("ApplicationName=")) {
            driver.setApplicationName("dormouse");
        }
        if (!url.contains("connectTimeout=")) {
            driver.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        }
        if (!url.contains("socketTimeout=")) {
            driver.setSocketTimeout((int) SessionSettings.WORK.networkTimeout().toSeconds());
        }
        return driver;
    }

    /** Opens pools that borrow connections from a user's DataSource. Throws if it has too few. */
    public static Pools over(DataSource users) throws SQLException {
        return new Pools(users, users, true, ConnectionBudget.of(users));
    }

    /**
     * Creates a pool. A pool that callers wait for always has one connection, because opening one takes longer than
     * using it. The pool starts with its first use.
     */
    private EnginePool pool(String name, SessionSettings settings, int fewest, int most) {
        return pool(name, new EngineDataSource(source, settings, borrowed), fewest, most);
    }

    private EnginePool pool(String name, DataSource connections, int fewest, int most) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("dormouse-" + name);
        pool.setDataSource(connections);
        pool.setMaximumPoolSize(most);
        pool.setMinimumIdle(fewest);
        if (fewest < most) {
            pool.setIdleTimeout(IDLE.toMillis());
        }
        pool.setConnectionTimeout(WAIT_FOR_CONNECTION.toMillis());
        pool.setValidationTimeout(VALIDATION.toMillis());
        pool.setInitializationFailTimeout(-1);
        return new EnginePool(pool);
    }

    public DataSource work() {
        return work;
    }

    public DataSource start() {
        return start;
    }

    public DataSource renew() {
        return renew;
    }

    public DataSource notices() {
        return notices;
    }

    public UserConnections users() {
        return users;
    }

    /** Opens a connection for listening, which is not pooled. */
    public Connection openListening() throws SQLException {
        return new EngineDataSource(listening, SessionSettings.WORK, borrowed).getConnection();
    }

    /** Opens a connection for creating tables, which is not pooled. */
    public Connection openMigrating() throws SQLException {
        return new EngineDataSource(source, SessionSettings.MIGRATION, borrowed).getConnection();
    }

    @Override
    public void close() {
        users.close();
        List.of(work, start, renew, notices).forEach(EnginePool::close);
    }
}
