package dev.dormouse.postgres.connect;

import dev.dormouse.postgres.sql.SqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A call on a connection from a pool, retried for about a second while a lock blocks it. */
public final class PooledCalls {
    /** Pauses between attempts, in milliseconds. There are few, because each attempt is an error in the server's log. */
    private static final long[] PAUSES = {50, 800};

    private PooledCalls() {}

    /** An operation on one connection. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /**
     * Runs {@code work} and returns its result.
     *
     * @throws dev.dormouse.store.base.StoreException if it fails, or if a lock still blocks the last attempt
     */
    public static <T> T call(DataSource connections, Work<T> work) {
        boolean interrupted = Thread.interrupted(); // on a virtual thread it would close the socket
        try {
            return callUntilApplied(connections, work);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <T> T callUntilApplied(DataSource connections, Work<T> work) {
        for (int attempt = 0; ; attempt++) {
            try (Connection connection = connections.getConnection()) {
                return work.run(connection);
            } catch (SQLException e) {
                if (attempt == PAUSES.length || !SqlErrors.isLocked(e)) {
                    throw SqlErrors.unavailable(e);
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSES[attempt]));
        }
    }
}
