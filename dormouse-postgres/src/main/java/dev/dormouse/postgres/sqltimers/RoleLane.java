package dev.dormouse.postgres.sqltimers;

import dev.dormouse.postgres.sqltimers.ActionConnection.Batch;
import dev.dormouse.postgres.sqltimers.LookStatement.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of one role, on connections that are logged in as that role. They run many at a time, in batches of which
 * each is one call; those that did not do well in a batch run alone.
 *
 * <p>One or two threads run batches until nothing is left; they share the work because each skips what the other has
 * locked. So do nodes.
 */
final class RoleLane extends Lane {
    private static final Logger LOG = LoggerFactory.getLogger(RoleLane.class);
    private static final int MOST_WORKERS = 2;
    private static final Duration BUDGET = Duration.ofMillis(250);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration LOG_IN_AGAIN = Duration.ofMinutes(1);
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** No such role or a wrong password; no such database; no right to connect. */
    private static final Set<String> CANNOT_LOG_IN = Set.of("28000", "28P01", "3D000", "42501");

    private final NodeContext node;
    private final String role;
    private final RolePool pool;
    private final AloneRuns alone;
    private int workers;
    private boolean wanted;
    private boolean distrusted;
    private boolean toldOfLogin;
    private boolean blocked;
    private long blockedSince;
    private boolean closed;

    RoleLane(NodeContext node, String role) {
        this.node = node;
        this.role = role;
        this.pool = new RolePool(node.logins(), role, node.ownRole(), node.threads());
        this.alone = new AloneRuns(node, role, pool, this::unavailable);
    }

    @Override
    synchronized boolean isServed() {
        return !closed && (!blocked || node.threads().nanoTime() - blockedSince > LOG_IN_AGAIN.toNanos());
    }

    /** Something has changed that may help. */
    synchronized void unblock() {
        blocked = false;
    }

    @Override
    void read(LookStatement.Found found) {
        List<Instant> together = found.due(Kind.ACTION, role);
        List<Instant> apart = found.due(Kind.APART, role);
        List<Instant> nearest = new ArrayList<>(together);
        nearest.addAll(apart);
        Instant one = readUpTo(together);
        Instant other = readUpTo(apart);
        readAhead(found.now(), nearest, one.isBefore(other) ? one : other);
        if (isServed() && !apart.isEmpty() && !apart.get(0).isAfter(found.now())) {
            node.threads().startCode("timers-alone", alone::startDue);
        }
    }

    @Override
    void start() {
        synchronized (this) {
            wanted = true;
            if (workers > 0 || closed) {
                return;
            }
            workers++;
        }
        node.threads().startCode("timers-batch", this::work);
    }

    /** There is more than one can do. */
    private void startAnother() {
        synchronized (this) {
            wanted = true;
            if (workers == MOST_WORKERS || closed) {
                return;
            }
            workers++;
        }
        node.threads().startCode("timers-batch", this::work);
    }

    private void work() {
        Instant floor = floor();
        while (isWanted()) {
            try {
                floor = runBatch(floor);
            } catch (SQLException e) {
                unavailable(e);
            }
        }
    }

    private synchronized boolean isWanted() {
        boolean more = wanted && !closed;
        wanted = false;
        if (!more) {
            workers--;
        }
        return more;
    }

    /** Runs a batch; gives the instant from which on there can be more. */
    private Instant runBatch(Instant floor) throws SQLException {
        int most = node.settings().get().timersPerBatch();
        ActionConnection connection = pool.borrow();
        if (isDistrusted()) {
            setApart(connection, most);
            return floor();
        }
        Watchdog.Watch watch = node.watchdog().watch(connection, pool, BUDGET.plus(GRACE));
        try {
            Batch batch = connection.runBatch(most, floor, BUDGET);
            giveBack(connection, watch);
            return follow(batch, most, floor);
        } catch (SQLException e) {
            watch.end();
            pool.discard(connection);
            LOG.debug("A batch of role {} was lost; what it had taken runs one by one.", role, e);
            distrust();
            return floor();
        }
    }

    private void giveBack(ActionConnection connection, Watchdog.Watch watch) {
        if (watch.end()) {
            pool.discard(connection);
        } else {
            pool.giveBack(connection);
        }
    }

    private Instant follow(Batch batch, int most, Instant floor) {
        loggedIn();
        if (batch.apart() > 0) {
            alone.startDue();
        }
        boolean allDone = batch.fired() + batch.apart() == batch.taken();
        if (batch.taken() == most) {
            startAnother();
        } else if (!allDone) {
            start();
        }
        return allDone && batch.taken() > 0 ? batch.last().minus(MARGIN) : floor;
    }

    /** Something in the last batch may have killed it, and would kill the next. */
    private void distrust() {
        synchronized (this) {
            distrusted = true;
        }
        start();
    }

    private synchronized boolean isDistrusted() {
        return distrusted;
    }

    private void setApart(ActionConnection connection, int most) throws SQLException {
        try {
            connection.setApart(most);
            pool.giveBack(connection);
        } catch (SQLException e) {
            pool.discard(connection);
            throw e;
        }
        synchronized (this) {
            distrusted = false;
        }
        alone.startDue();
        start();
    }

    private synchronized void loggedIn() {
        toldOfLogin = false;
    }

    /** The server is away, which others notice too; or it does not let this role in, which somebody should know. */
    private synchronized void unavailable(SQLException e) {
        if (!CANNOT_LOG_IN.contains(String.valueOf(e.getSQLState()))) {
            LOG.debug("Could not run timers of role {}.", role, e);
            return;
        }
        blocked = true;
        blockedSince = node.threads().nanoTime();
        if (!toldOfLogin && !closed) {
            toldOfLogin = true;
            LOG.warn(
                    "Expected to log in as role {}, but could not ({}). Its timers stay pending. Give this node the "
                            + "role's password, or let the server trust it.",
                    role,
                    e.getMessage());
        }
    }

    @Override
    void warm() {
        if (isServed()) {
            node.threads().startCode("timers-warm", this::open);
        }
    }

    private void open() {
        try {
            pool.warm();
        } catch (SQLException e) {
            unavailable(e);
        }
    }

    @Override
    void trim() {
        pool.trim();
    }

    @Override
    boolean isBusy() {
        return pool.isBusy();
    }

    @Override
    void close() {
        synchronized (this) {
            closed = true;
        }
        alone.close();
        pool.close();
    }
}
