package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.thread.Loop;
import dev.dormouse.internal.thread.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watchdog that terminates actions that do not end when they are cancelled, because they caught the server's cancel
 * request. Another connection of the same role, which has the right to do so, terminates the server process.
 *
 * <p>Concurrency: thread-safe. {@code watched} and the state of each watch are guarded by the lock of this object.
 * Either {@link Watch#end} removes a watch before its deadline, or the watchdog marks it as expired; never both.
 */
final class Watchdog extends Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Threads threads;
    private final TreeSet<Watch> watched = new TreeSet<>(
            Comparator.comparingLong((Watch watch) -> watch.deadline).thenComparingLong(watch -> watch.number));
    private long lastNumber;

    Watchdog(Threads threads) {
        super(threads);
        this.threads = threads;
        start("timers-watchdog");
    }

    /** One run of an action that must end by a deadline. */
    final class Watch {
        private final long deadline;
        private final long number;
        private final ActionConnection connection;
        private final RolePool pool;
        private boolean expired;

        Watch(long deadline, long number, ActionConnection connection, RolePool pool) {
            this.deadline = deadline;
            this.number = number;
            this.connection = connection;
            this.pool = pool;
        }

        /** Ends the watch. Returns true if the action had to be terminated. */
        boolean end() {
            synchronized (Watchdog.this) {
                watched.remove(this);
                return expired;
            }
        }

        /**
         * Terminates the action. Its connection cannot have been reused, so the server process certainly still executes
         * this action.
         */
        private void terminateAction() {
            try {
                if (pool.isDirect()) {
                    terminate();
                }
            } catch (SQLException e) {
                LOG.warn("Could not cancel an action that exceeded its timeout; its connection is closed.", e);
            }
            connection.cut();
        }

        private void terminate() throws SQLException {
            ActionConnection other = pool.open();
            try {
                other.terminate(connection.pid());
            } finally {
                other.cut();
            }
        }
    }

    synchronized Watch watch(ActionConnection connection, RolePool pool, Duration atMost) {
        Watch watch = new Watch(threads.nanoTime() + atMost.toNanos(), ++lastNumber, connection, pool);
        watched.add(watch);
        if (watched.first() == watch) {
            wake();
        }
        return watch;
    }

    @Override
    protected void turn() {
        await(terminateOverdue());
    }

    /** Terminates overdue actions, and returns the time until the next deadline. */
    private synchronized Duration terminateOverdue() {
        long now = threads.nanoTime();
        while (!watched.isEmpty() && watched.first().deadline - now <= 0) {
            Watch late = watched.first();
            watched.remove(late);
            late.expired = true;
            threads.startCode("timers-terminate", late::terminateAction);
        }
        return watched.isEmpty() ? FOR_EVER : Duration.ofNanos(watched.first().deadline - now);
    }
}
