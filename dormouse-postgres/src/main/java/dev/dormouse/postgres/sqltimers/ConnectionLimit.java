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
 * The maximum number of connections of a node for all roles together: a server has few, and the application needs them
 * too. If the limit is reached, the connection that was idle longest is closed; if none is idle, the caller waits.
 * Actions that run alone, without a time limit, cannot take all connections: a quarter is reserved for batches, which
 * end soon.
 *
 * <p>Concurrency: thread-safe. The semaphores are not fair: a caller that arrives when a permit becomes free may
 * overtake waiting ones.
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

    /** Returns true if a thread waits for a connection, so that idle ones should be closed. */
    boolean isWanted() {
        return all.hasQueuedThreads();
    }

    /** Waits for a permit for one connection. */
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

    /** Waits until one more action may run alone. Its connection may still have to wait in {@link #enter}. */
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
