package dev.dormouse.postgres;

import com.zaxxer.hikari.HikariConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The engine's connections, pooled by what they are set up for. Renewals have one of their own, so that no amount of
 * other work makes a node lose its leases; so have notifications, and so have transactions with a user's statements
 * ({@link UserConnections}). Over a user's DataSource the same pools hold
 * connections that they borrow from it, fewer of them, and give back those that they have not needed for a while.
 */
final class Pools implements AutoCloseable {
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

    private Pools(DataSource source, DataSource listening, boolean borrowed, Capacity capacity) {
        this.source = source;
        this.listening = listening;
        this.borrowed = borrowed;
        this.work = pool("work", EngineSettings.WORK, 1, capacity.work());
        this.start = pool("start", EngineSettings.START, 1, borrowed ? 1 : 2);
        this.renew = pool("renew", EngineSettings.WORK, 0, 1);
        this.notices = pool("notify", EngineSettings.WORK, 0, 1);
        this.users = borrowed
                ? UserConnections.borrowed(source, capacity.users())
                : UserConnections.pooled(pool("user", source, 0, capacity.users()));
    }

    /** Connections of our own. What the URL says about timeouts is kept. */
    static Pools toUrl(String url) {
        PGSimpleDataSource listening = driver(url);
        PromptSockets.useFor(listening);
        return new Pools(driver(url), listening, false, Capacity.OWN);
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
            driver.setSocketTimeout((int) EngineSettings.WORK.networkTimeout().toSeconds());
        }
        return driver;
    }

    /** Connections that are borrowed from a user's DataSource. Throws if it has too few. */
    static Pools over(DataSource users) throws SQLException {
        return new Pools(users, users, true, Capacity.of(users));
    }

    /**
     * One connection is always there where somebody waits for the answer: making one takes longer than using it. The pool
     * itself begins with its first use.
     */
    private EnginePool pool(String name, EngineSettings settings, int fewest, int most) {
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

    DataSource work() {
        return work;
    }

    DataSource start() {
        return start;
    }

    DataSource renew() {
        return renew;
    }

    DataSource notices() {
        return notices;
    }

    UserConnections users() {
        return users;
    }

    /** A connection that is in no pool, to listen on. */
    Connection openListening() throws SQLException {
        return new EngineDataSource(listening, EngineSettings.WORK, borrowed).getConnection();
    }

    /** A connection that is in no pool, to create tables with. */
    Connection openMigrating() throws SQLException {
        return new EngineDataSource(source, EngineSettings.MIGRATION, borrowed).getConnection();
    }

    @Override
    public void close() {
        users.close();
        List.of(work, start, renew, notices).forEach(EnginePool::close);
    }
}
