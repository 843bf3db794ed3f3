package dev.dormouse.postgres.sqltimers;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How many connections of all roles together a node may have: a server has few, and the application wants them too. Where
 * there is no room, the one that was idle for longest makes room; where none is idle, who wants one waits. Actions that run
 * alone, for as long as they like, cannot have them all: a quarter is for batches, which end soon.
 *
 * <p>Thread-safe. Who waits is not first in line when somebody comes along as one becomes free, but is served soon.
 */
final class ConnectionLimit {
    private static final Duration LOOK_WHETHER_CLOSED = Duration.ofMillis(500);

    private final Semaphore all;
    private final Semaphore alone;
    private final List<RolePool> pools = new CopyOnWriteArrayList<>();

    ConnectionLimit(int most) {
        this.all = new Semaphore(most);
        this.alone = new Semaphore(most - Math.max(1, most / 4));
    }

    void add(RolePool pool) {
        pools.add(pool);
    }

    void remove(RolePool pool) {
        pools.remove(pool);
    }

    boolean hasRoom() {
        return all.availablePermits() > 0;
    }

    /** Whether somebody waits, for whom an idle connection should be closed. */
    boolean isWanted() {
        return all.hasQueuedThreads();
    }

    /** Waits for room for one connection. */
    void enter(BooleanSupplier closed) throws SQLException {
        while (!all.tryAcquire()) {
            if (!closeLongestIdle()) {
                if (acquire(all, closed)) {
                    return;
                }
            }
        }
    }

    void leave() {
        all.release();
    }

    /** Waits until one more action may run alone, on a connection for which there may be no room yet. */
    void enterAlone(BooleanSupplier closed) throws SQLException {
        boolean entered = alone.tryAcquire();
        while (!entered) {
            entered = acquire(alone, closed);
        }
    }

    void leaveAlone() {
        alone.release();
    }

    private static boolean acquire(Semaphore semaphore, BooleanSupplier closed) throws SQLException {
        try {
            boolean acquired = semaphore.tryAcquire(LOOK_WHETHER_CLOSED.toNanos(), TimeUnit.NANOSECONDS);
            if (!acquired && closed.getAsBoolean()) {
                throw new SQLException("Expected a connection, but the node is closed.");
            }
            return acquired;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while it waited for a connection.", e);
        }
    }

    private boolean closeLongestIdle() {
        return pools.stream()
                .max(Comparator.comparing(RolePool::longestIdle))
                .map(RolePool::closeLongestIdle)
                .orElse(false);
    }
}
