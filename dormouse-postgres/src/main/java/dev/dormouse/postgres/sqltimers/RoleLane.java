package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.time.ReadAhead;
import dev.dormouse.postgres.sqltimers.ActionConnection.Batch;
import dev.dormouse.postgres.sqltimers.ReadAheadStatement.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actions of one role, on connections that are logged in as that role. They run in batches, each of which is one
 * call; actions that failed or were slow in a batch run alone.
 *
 * <p>Concurrency: thread-safe. One or two threads run batches until nothing is due; each skips rows that another thread
 * or node has locked. The mutable fields are guarded by the lock of this object, which is not held during database
 * calls. A request during a batch sets {@code wanted}, so that a worker continues instead of missing it.
 */
final class RoleLane extends TimerLane {
    private static final Logger LOG = LoggerFactory.getLogger(RoleLane.class);
    private static final int MOST_WORKERS = 2;
    private static final Duration BUDGET = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMillis(250);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration LOG_IN_AGAIN = Duration.ofMinutes(1);
    private static final Duration MARGIN = Duration.ofSeconds(1);
    private static final Duration UNTIL_OVER = Duration.ofMillis(250);

    /** No such role or a wrong password; no such database; no right to connect. */
    private static final Set<String> CANNOT_LOG_IN = Set.of("28000", "28P01", "3D000", "42501");

    private final TimerNodeContext node;
    private final String role;
    private final RolePool pool;
    private final AloneRuns alone;
    private final LostBatches lost;
    private int workers;
    private boolean wanted;
    private Instant from = Instant.EPOCH;
    private boolean toldOfLogin;
    private boolean blocked;
    private long blockedSince;
    private boolean closed;

    RoleLane(TimerNodeContext node, String role) {
        this.node = node;
        this.role = role;
        this.pool = new RolePool(node, role);
        this.lost = new LostBatches(node.threads());
        this.alone = new AloneRuns(node, role, pool, this::unavailable);
    }

    @Override
    synchronized boolean isServed() {
        return !closed && (!blocked || node.threads().nanoTime() - blockedSince > LOG_IN_AGAIN.toNanos());
    }

    /** Lets the role log in again, after a change that may help. */
    synchronized void unblock() {
        blocked = false;
    }

    /**
     * Takes this role's findings. Overdue timers that run alone are started here: no alarm and no batch would find
     * them.
     */
    @Override
    boolean read(ReadAheadStatement.Found found) {
        List<Instant> apart = found.due(Kind.APART, role);
        boolean overdue = readAhead(
                found,
                new ReadAhead(ReadAheadStatement.READ_AHEAD)
                        .add(found.due(Kind.ACTION, role))
                        .add(apart, at -> at.isAfter(found.now())));
        if (apart.isEmpty() || apart.get(0).isAfter(found.now())) {
            return overdue;
        }
        keepFloorBelow(apart.get(0));
        node.threads().startCode("timers-alone", alone::startDue);
        return true;
    }

    @Override
    void start() {
        setFrom(floor());
        start(1);
    }

    /** Requests up to {@code most} workers, including those that are running. */
    private void start(int most) {
        synchronized (this) {
            wanted = true;
            if (workers >= most || closed) {
                return;
            }
            workers++;
        }
        try {
            node.threads().startCode("timers-batch", this::work);
        } catch (RuntimeException e) {
            ended();
            throw e;
        }
    }

    private synchronized void ended() {
        workers--;
    }

    private void work() {
        try {
            while (isWanted()) {
                runBatchIfPossible();
            }
        } catch (RuntimeException | Error e) {
            ended();
            throw e;
        }
    }

    private void runBatchIfPossible() {
        try {
            runBatch();
        } catch (SQLException e) {
            unavailable(e);
        }
    }

    private synchronized void setFrom(Instant instant) {
        from = instant;
    }

    private synchronized Instant from() {
        return from;
    }

    /** Advances the scan start to {@code to}, unless it was reset since this batch began. */
    private synchronized void advance(Instant began, Instant to) {
        from = from.equals(began) ? to : from;
    }

    private synchronized boolean isWanted() {
        boolean more = wanted && !closed;
        wanted = false;
        if (!more) {
            workers--;
        }
        return more;
    }

    private void runBatch() throws SQLException {
        int most = node.settings().get().timersPerBatch();
        Instant began = from();
        ActionConnection connection = pool.borrow();
        if (!lost.isEmpty()) {
            setApart(connection, most);
            return;
        }
        Watchdog.Watch watch = node.watchdog().watch(connection, pool, LONGEST.plus(GRACE));
        try {
            Batch batch = connection.runBatch(most, began, BUDGET, LONGEST);
            giveBack(connection, watch);
            follow(batch, most, began);
        } catch (SQLException e) {
            watch.end();
            pool.discard(connection);
            LOG.debug("A batch of role {} was lost; its timers run one by one.", role, e);
            lost.add(connection, e);
            start();
        }
    }

    private void giveBack(ActionConnection connection, Watchdog.Watch watch) {
        if (watch.end()) {
            pool.discard(connection);
        } else {
            pool.giveBack(connection);
        }
    }

    private void follow(Batch batch, int most, Instant began) {
        loggedIn();
        if (batch.apart() > 0) {
            alone.startDue();
        }
        if (batch.fired() + batch.apart() < batch.taken()) {
            start();
        } else if (batch.taken() == most) {
            advance(began, batch.last().minus(MARGIN));
            start(MOST_WORKERS);
        }
    }

    /** Sets timers of lost batches apart. While a lost session may hold timers, no batch of this node takes them. */
    private void setApart(ActionConnection connection, int most) throws SQLException {
        Set<Integer> sessions = lost.sessions();
        ActionConnection.Apart apart;
        try {
            apart = connection.setApart(most, sessions);
            pool.giveBack(connection);
        } catch (SQLException e) {
            pool.discard(connection);
            throw e;
        }
        alone.startDue();
        boolean over = pool.isDirect() ? apart.alive() == 0 : lost.areSurelyOver();
        if (over) {
            lost.remove(sessions);
        } else if (apart.done() == 0) {
            node.threads().newGate().pass(UNTIL_OVER);
        }
        if (apart.done() > 0 || !over) {
            start(); // there may be more; if none was set apart, the next look is soon enough
        }
    }

    private synchronized void loggedIn() {
        toldOfLogin = false;
    }

    /**
     * Handles a failed connection. A server outage is reported elsewhere; a login failure is logged here and blocks the
     * lane.
     */
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
    void stop() {
        synchronized (this) {
            closed = true;
        }
        alone.close();
    }

    @Override
    void close() {
        stop();
        pool.close();
    }
}
