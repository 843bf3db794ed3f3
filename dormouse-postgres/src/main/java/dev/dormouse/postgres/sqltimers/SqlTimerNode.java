package dev.dormouse.postgres.sqltimers;

import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.postgres.notify.NotificationListener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that executes SQL timers, which {@code timers.schedule_at} and similar functions have set in a PostgreSQL
 * database. Thread-safe. Any number of nodes may run on one database; they share the work, and no timer fires twice.
 *
 * <pre>{@code
 * try (SqlTimerNode timers = SqlTimerNode.builder()
 *         .url("jdbc:postgresql://localhost/app?user=dormouse&password=secret")
 *         .password("web", "secret too")      // timers of role web run on connections that are logged in as web
 *         .open()) {
 *     …
 * }
 * }</pre>
 */
public final class SqlTimerNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqlTimerNode.class);
    private static final Duration PROBE = Duration.ofSeconds(3);
    private static final Duration TO_END = Duration.ofSeconds(10);
    private static final Duration LOOK_WHETHER_ENDED = Duration.ofMillis(20);

    private final TimerNodeContext node;
    private final TimerLoop loop;
    private final TimerLanes lanes;
    private volatile @Nullable NotificationListener listener;
    private final Runnable closeWhatItOwns;
    private final String probe = UUID.randomUUID().toString();
    private final CompletableFuture<Boolean> probed;

    SqlTimerNode(
            SqlTimerNodeBuilder wanted,
            Threads threads,
            RoleLogins logins,
            TimerDatabase database,
            Runnable closeWhatItOwns)
            throws SQLException {
        this.closeWhatItOwns = closeWhatItOwns;
        String ownRole = database.callForUser(ConfigStatements::ownRole); // before any thread is started
        this.node = new TimerNodeContext(
                database,
                logins,
                threads,
                new Watchdog(threads),
                new TimerFailures(threads),
                new ConnectionLimit(wanted.connections()),
                this::settings,
                ownRole,
                wanted.aloneAtOnce());
        long lease = UUID.randomUUID().getMostSignificantBits();
        this.lanes = new TimerLanes(node, new HandlerLane(node, wanted.handlers(), lease, wanted.handling()));
        this.loop = new TimerLoop(node, lanes);
        this.probed = threads.newFuture();
    }

    /** Returns a builder for a node. */
    public static SqlTimerNodeBuilder builder() {
        return new SqlTimerNodeBuilder();
    }

    /** Returns all SQL of the schema timers, to be read or run with psql. */
    public static String script() {
        return SchemaInstallation.script();
    }

    SqlTimerNode start() throws SQLException {
        try {
            enableRoles();
            warnOfSuperuser();
            listen();
            loop.start("timers");
            node.database().watch().begin();
            return this;
        } catch (SQLException | RuntimeException problem) {
            close();
            throw problem;
        }
    }

    private TimerSettings settings() {
        return loop.settings();
    }

    /** Enables the roles whose passwords were given, because their timers are meant to run. */
    private void enableRoles() throws SQLException {
        for (String role : node.logins().passwords().keySet()) {
            enableRole(role);
        }
        enableRole(node.ownRole());
    }

    /**
     * Allows a role to schedule timers, like {@code timers.enable_role}. Has no effect if it is enabled already. The
     * node's own role and the roles with a {@link SqlTimerNodeBuilder#password} are enabled when the node opens.
     *
     * @throws SQLException if there is no such role, the role cannot log in, the node's own role does not own schema
     *     timers, or the database does not respond
     */
    public void enableRole(String role) throws SQLException {
        node.database().callForUser(connection -> {
            ConfigStatements.enable(connection, role);
            return true;
        });
    }

    private void warnOfSuperuser() throws SQLException {
        if (node.database().callForUser(ConfigStatements::isSuperuser)) {
            LOG.warn(
                    "Expected to log in as an ordinary role, but {} is a superuser. Use one that is not.",
                    node.ownRole());
        }
    }

    private void listen() throws SQLException {
        try {
            listener = new NotificationListener(
                            node.logins()::openListening, "dormouse_timers", this::read, loop::sweepNow)
                    .start();
        } catch (SQLException e) {
            LOG.debug("LISTEN was refused.", e);
        }
        if (!notificationsArrive()) {
            closeListener();
            node.logins().pooled();
            loop.withoutNotices();
            LOG.warn(
                    "Expected notifications of PostgreSQL, but none arrive; perhaps because of a pooler in transaction mode. "
                            + "Timers are found by polling every second instead.");
        }
    }

    private boolean notificationsArrive() throws SQLException {
        node.database().callForUser(connection -> {
            ConfigStatements.notify(connection, "probe " + probe);
            return true;
        });
        try {
            return node.threads().join(probed, PROBE);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Stream<Runnable> read(String payload) {
        return TimerNotice.parse(payload).stream().map(heard -> () -> hear(heard));
    }

    private void hear(TimerNotice heard) {
        if (heard instanceof TimerNotice.Timer timer) {
            loop.hear(timer);
        } else if (heard instanceof TimerNotice.Changed) {
            loop.changed();
        } else if (heard instanceof TimerNotice.Probe other && other.id().equals(probe)) {
            probed.complete(true);
        }
    }

    /**
     * Returns the outages of the database that this node has noticed and that have not ended. A node that waits for its
     * next timer rarely queries the database, so it may notice an outage late.
     */
    public List<StoreOutage> outages() {
        return node.database().watch().outages();
    }

    /** Takes no more timers, waits up to ten seconds for running ones, and ends. */
    @Override
    public void close() {
        node.database().watch().close();
        loop.close();
        closeListener();
        lanes.stop();
        Gate pause = node.threads().newGate();
        long began = node.threads().nanoTime();
        while (isBusy() && node.threads().nanoTime() - began < TO_END.toNanos()) {
            pause.pass(LOOK_WHETHER_ENDED);
        }
        lanes.close();
        node.watchdog().close();
        closeWhatItOwns.run();
    }

    private void closeListener() {
        try {
            if (listener != null) {
                listener.close();
            }
        } catch (SQLException e) {
            LOG.debug("Could not abort the listening connection.", e);
        }
    }

    private boolean isBusy() {
        return lanes.all().stream().anyMatch(TimerLane::isBusy);
    }
}
