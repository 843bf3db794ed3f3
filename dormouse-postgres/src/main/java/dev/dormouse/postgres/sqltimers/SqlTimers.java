package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Gate;
import dev.dormouse.engine.Threads;
import dev.dormouse.postgres.Listener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that executes SQL timers: what {@code timers.schedule_at} and its like have set in a PostgreSQL database. Thread-safe.
 * Any number of them may run on one database; they share the work, and no timer fires twice.
 *
 * <pre>{@code
 * try (SqlTimers timers = SqlTimers.builder()
 *         .url("jdbc:postgresql://localhost/app?user=dormouse&password=secret")
 *         .password("web", "secret too")      // timers of role web run on connections that are logged in as web
 *         .open()) {
 *     …
 * }
 * }</pre>
 */
public final class SqlTimers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SqlTimers.class);
    private static final Duration PROBE = Duration.ofSeconds(3);
    private static final Duration TO_END = Duration.ofSeconds(10);
    private static final Duration LOOK_WHETHER_ENDED = Duration.ofMillis(20);

    private final NodeContext node;
    private final TimerLoop loop;
    private final Lanes lanes;
    private volatile @Nullable Listener listener;
    private final Runnable closeWhatItOwns;
    private final String probe = UUID.randomUUID().toString();
    private final CompletableFuture<Boolean> probed;

    SqlTimers(SqlTimersBuilder wanted, Threads threads, Logins logins, Database database, Runnable closeWhatItOwns)
            throws SQLException {
        this.closeWhatItOwns = closeWhatItOwns;
        String ownRole = database.call(ConfigStatements::ownRole); // before there is a thread that would have to end
        this.node = new NodeContext(
                database,
                logins,
                threads,
                new Watchdog(threads),
                new ConnectionLimit(wanted.connections()),
                this::settings,
                ownRole,
                wanted.aloneAtOnce(),
                new FailureLog(threads));
        long lease = UUID.randomUUID().getMostSignificantBits();
        this.lanes = new Lanes(node, new HandlerLane(node, wanted.handlers(), lease, wanted.handling()));
        this.loop = new TimerLoop(node, lanes);
        this.probed = threads.newFuture();
    }

    /** A node that is to be configured. */
    public static SqlTimersBuilder builder() {
        return new SqlTimersBuilder();
    }

    /** All SQL of the schema timers, for somebody who wants to read it, or to run it with psql. */
    public static String script() {
        return Installation.script();
    }

    SqlTimers start() throws SQLException {
        try {
            enableRoles();
            warnOfSuperuser();
            listen();
            node.threads().startEngine("timers", loop);
            return this;
        } catch (SQLException | RuntimeException problem) {
            close();
            throw problem;
        }
    }

    private Settings settings() {
        return loop.settings();
    }

    /** Whoever gives a node the password of a role wants its timers to run. */
    private void enableRoles() throws SQLException {
        for (String role : node.logins().passwords().keySet()) {
            enableRole(role);
        }
        enableRole(node.ownRole());
    }

    /** Lets a role set timers, as {@code timers.enable_role} does. */
    public void enableRole(String role) throws SQLException {
        node.database().call(connection -> {
            ConfigStatements.enable(connection, role);
            return true;
        });
    }

    private void warnOfSuperuser() throws SQLException {
        if (node.database().call(ConfigStatements::isSuperuser)) {
            LOG.warn(
                    "Expected to log in as an ordinary role, but {} is a superuser. Use one that is not.",
                    node.ownRole());
        }
    }

    private void listen() throws SQLException {
        try {
            listener =
                    new Listener(node.logins()::openListening, "dormouse_timers", this::read, loop::sweepNow).start();
        } catch (SQLException e) {
            LOG.debug("LISTEN was refused.", e);
        }
        if (!notificationsArrive()) {
            closeListener();
            node.logins().pooled();
            loop.withoutNotices();
            LOG.warn(
                    "Expected notifications of PostgreSQL, but none arrive; perhaps there is a pooler in transaction mode "
                            + "in between. Timers are found by looking every second instead.");
        }
    }

    private boolean notificationsArrive() throws SQLException {
        node.database().call(connection -> {
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
        return Heard.parse(payload).stream().map(heard -> () -> hear(heard));
    }

    private void hear(Heard heard) {
        if (heard instanceof Heard.Timer timer) {
            loop.hear(timer);
        } else if (heard instanceof Heard.Changed) {
            loop.changed();
        } else if (heard instanceof Heard.Probe other && other.id().equals(probe)) {
            probed.complete(true);
        }
    }

    /** Takes no more timers, waits up to ten seconds for those that are executing, and ends. */
    @Override
    public void close() {
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
            LOG.debug("Could not cut the connection that listens.", e);
        }
    }

    private boolean isBusy() {
        return lanes.all().stream().anyMatch(Lane::isBusy);
    }
}
