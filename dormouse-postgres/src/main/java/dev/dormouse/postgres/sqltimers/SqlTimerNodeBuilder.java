package dev.dormouse.postgres.sqltimers;

import com.zaxxer.hikari.HikariConfig;
import dev.dormouse.RetryPolicy;
import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.postgres.connect.EnginePool;
import dev.dormouse.postgres.connect.ReadOnlyServers;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.timer.TimerOptions;
import dev.dormouse.timer.Timers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A builder of a node that executes SQL timers. Not thread-safe. */
public final class SqlTimerNodeBuilder {
    /** Shorter than the threshold for slow operations, so that an outage is not reported as slowness first. */
    private static final Duration WAIT_FOR_CONNECTION = Duration.ofSeconds(4);

    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final int MOST_CONNECTIONS = 3;

    private String url = "";
    private Optional<DataSource> dataSource = Optional.empty();
    private Optional<Threads> threads = Optional.empty();
    private final Map<String, String> passwords = new HashMap<>();
    private final Map<String, SqlTimerHandler> handlers = new HashMap<>();
    private boolean install = true;
    private int aloneAtOnce = 6;
    private int connections = 32;
    private HandlerSettings handling = HandlerSettings.DEFAULT;

    SqlTimerNodeBuilder() {}

    /** Sets the JDBC URL of the database, with the role that owns schema timers. Required. */
    public SqlTimerNodeBuilder url(String jdbcUrl) {
        this.url = jdbcUrl;
        return this;
    }

    /**
     * Sets the connections for the node's own statements, of the role that owns schema timers. Default: up to 3
     * connections to the URL. The URL is required all the same: for listening, and for the logins on which actions run.
     */
    public SqlTimerNodeBuilder dataSource(DataSource ownConnections) {
        this.dataSource = Optional.of(ownConnections);
        return this;
    }

    /**
     * Sets the password of a role whose timers should run. It also enables the role. Default: no role has a password.
     */
    public SqlTimerNodeBuilder password(String role, String password) {
        passwords.put(role, password);
        return this;
    }

    /**
     * Sets the handler for timers of {@code timers.schedule_handler} with this name; a second one replaces the first.
     * Default: none, so that other nodes call it.
     */
    public SqlTimerNodeBuilder handler(String name, SqlTimerHandler handler) {
        handlers.put(name, handler);
        return this;
    }

    /**
     * Forwards timers of {@code timers.schedule_handler} with these names to the Dormouse handlers of the same names,
     * whose retries and timeouts apply from then on. The Dormouse may use another database. Default: none.
     */
    public SqlTimerNodeBuilder handlers(Timers timers, String... names) {
        for (String name : names) {
            handler(
                    name,
                    call -> timers.after(
                            Duration.ZERO,
                            name,
                            TimerOptions.DEFAULT.withId("sql-" + call.shardKey() + "-" + call.id()),
                            call.payload().map(SqlTimerNodeBuilder::value).orElse(null)));
        }
        return this;
    }

    private static @Nullable Object value(String json) {
        return new JacksonCodec().decode(new Payload("json", json.getBytes(StandardCharsets.UTF_8)), Object.class);
    }

    /** Sets whether to install or upgrade the schema timers if needed. Default: true. */
    public SqlTimerNodeBuilder install(boolean ifNeedBe) {
        this.install = ifNeedBe;
        return this;
    }

    /**
     * Sets the maximum number of concurrent actions of one role on their own connections: slow ones, and those that
     * failed in a batch. Default: 6. Up to two more connections per role execute all other actions.
     *
     * @throws DormouseException BAD_SETTING if {@code actions} is less than 1
     */
    public SqlTimerNodeBuilder aloneAtOnce(int actions) {
        if (actions < 1) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected room for at least one action, but got " + actions + ".");
        }
        this.aloneAtOnce = actions;
        return this;
    }

    /**
     * Sets the maximum number of connections of this node for all roles together, in addition to up to 4 of its own.
     * Default: 32. If more roles have timers due, they take turns. Actions that run alone may take three quarters of
     * them.
     *
     * @throws DormouseException BAD_SETTING if {@code most} is less than 2
     */
    public SqlTimerNodeBuilder connections(int most) {
        if (most < 2) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected room for at least two connections, but got " + most + ".");
        }
        this.connections = most;
        return this;
    }

    /**
     * Sets the time after which another node takes over a handler timer from a node that died. Default: 30 s.
     *
     * @throws DormouseException BAD_SETTING if {@code period} is shorter than 0.1 s or longer than a day
     */
    public SqlTimerNodeBuilder lease(Duration period) {
        if (period.compareTo(Duration.ofMillis(100)) < 0 || period.compareTo(Duration.ofDays(1)) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected a lease of 0.1 s to one day, but got " + period + ".");
        }
        this.handling = handling.lease(period);
        return this;
    }

    /**
     * Sets when a handler that threw is called again. Default: after 1 s, 2 s, 4 s … and at most 5 minutes, 20 attempts
     * in all; then the timer has failed. A total time counts from the instant at which the timer was due. Attempts are
     * counted in the database, so all nodes should use the same policy.
     */
    public SqlTimerNodeBuilder handlerRetry(RetryPolicy policy) {
        this.handling = handling.retry(Objects.requireNonNull(policy));
        return this;
    }

    /**
     * Sets the maximum number of concurrent handlers of this node. Default: 16.
     *
     * @throws DormouseException BAD_SETTING if {@code calls} is less than 1
     */
    public SqlTimerNodeBuilder handlersAtOnce(int calls) {
        if (calls < 1) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING, "Expected room for at least one handler, but got " + calls + ".");
        }
        this.handling = handling.atOnce(calls);
        return this;
    }

    /** Sets the threads to use, which are not closed with the node. Default: the node's own threads. */
    SqlTimerNodeBuilder threads(Threads given) {
        this.threads = Optional.of(given);
        return this;
    }

    Map<String, SqlTimerHandler> handlers() {
        return handlers;
    }

    int aloneAtOnce() {
        return aloneAtOnce;
    }

    int connections() {
        return connections;
    }

    HandlerSettings handling() {
        return handling;
    }

    /**
     * Installs the schema if needed, and starts the node.
     *
     * @return the running node, to be closed by the caller
     * @throws DormouseException BAD_SETTING if there is no PostgreSQL URL; STORE_UNAVAILABLE if the database does not
     *     respond; SCHEMA_MISSING if the role does not own schema timers, or the schema is missing or old and may not
     *     be installed; SCHEMA_TOO_NEW if a later release has upgraded it
     */
    public SqlTimerNode open() {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new DormouseException(
                    ErrorCode.BAD_SETTING,
                    "Expected a URL like jdbc:postgresql://HOST/DATABASE?user=ROLE, but got none. Call url(…).");
        }
        RoleLogins logins = new RoleLogins(url, passwords);
        Optional<EnginePool> pool = dataSource.isPresent() ? Optional.empty() : Optional.of(pool(logins));
        Optional<Threads> own = threads.isPresent() ? Optional.empty() : Optional.of(new JvmThreads());
        Runnable close = () -> {
            pool.ifPresent(EnginePool::close);
            own.ifPresent(Threads::close);
        };
        try {
            install(logins);
            DataSource connections = dataSource.isPresent() ? dataSource.get() : pool.orElseThrow();
            Threads used = threads.or(() -> own).orElseThrow();
            return new SqlTimerNode(this, used, logins, new TimerDatabase(connections, watch(used)), close).start();
        } catch (SQLException e) {
            close.run();
            throw new StoreException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "Expected an answer of PostgreSQL, but got none: " + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            close.run();
            throw e;
        }
    }

    private static StoreWatch watch(Threads threads) {
        return new StoreWatch(
                threads,
                "The database of the SQL timers",
                "Nothing is lost: timers that become due fire when it responds again.");
    }

    private void install(RoleLogins logins) throws SQLException {
        try (Connection connection = logins.node().getConnection()) {
            SchemaInstallation.ensure(connection, install);
        }
    }

    private static EnginePool pool(RoleLogins logins) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("dormouse-timers");
        pool.setDataSource(logins.node());
        pool.setMaximumPoolSize(MOST_CONNECTIONS);
        pool.setMinimumIdle(1);
        pool.setIdleTimeout(IDLE.toMillis());
        pool.setConnectionTimeout(WAIT_FOR_CONNECTION.toMillis());
        pool.setInitializationFailTimeout(-1);
        pool.setConnectionInitSql(ReadOnlyServers.REFUSE_STANDBY);
        return new EnginePool(pool);
    }
}
