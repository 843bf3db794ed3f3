package dev.dormouse.postgres.connect;

import com.zaxxer.hikari.HikariDataSource;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.common.BaseDataSource;

/**
 * The number of connections that a user's DataSource has for the engine, and how they are divided. With fewer than
 * {@link #NEEDED} some part of the engine would wait forever, so the store is not opened. With {@link #WANTED} none
 * waits.
 *
 * @param work connections for the engine's statements
 * @param users connections for transactions with a user's statements
 */
public record ConnectionBudget(int work, int users) {
    /**
     * One connection each for renewals, starts, notifications, listening, other work, and a transaction with a user's
     * statements.
     */
    static final int NEEDED = 6;

    /** Two more for work and one more for users' transactions. */
    static final int WANTED = 9;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PATIENCE_FOR_MORE = Duration.ofMillis(500);

    /** For connections that the store opens itself. */
    static final ConnectionBudget OWN = new ConnectionBudget(4, 4);

    /**
     * Returns the budget of {@code source}.
     *
     * @throws StoreException TOO_FEW_CONNECTIONS if it has fewer than {@link #NEEDED}
     */
    static ConnectionBudget of(DataSource source) throws SQLException {
        if (source instanceof BaseDataSource) {
            return shared(WANTED); // the driver's own, which is not a pool
        }
        if (source.isWrapperFor(HikariDataSource.class)) {
            int most = source.unwrap(HikariDataSource.class).getMaximumPoolSize();
            if (most < NEEDED) {
                throw tooFew("its maximumPoolSize is " + most, null);
            }
            return shared(most);
        }
        return new Probe(source).run();
    }

    /** Throws if a pool gave no connection in time because it is too small and all of its connections are in use. */
    public static void checkNotTaken(DataSource source, SQLException problem) {
        if (problem.getCause() == null
                && source instanceof HikariDataSource pool
                && pool.getMaximumPoolSize() < NEEDED) {
            throw tooFew("its maximumPoolSize is " + pool.getMaximumPoolSize(), problem);
        }
    }

    private static ConnectionBudget shared(int connections) {
        int more = Math.min(connections, WANTED) - NEEDED;
        return new ConnectionBudget(1 + (more + 1) / 2, 1 + Math.min(1, more / 2));
    }

    private static StoreException tooFew(String but, @Nullable Exception cause) {
        return new StoreException(
                ErrorCode.TOO_FEW_CONNECTIONS,
                "Expected a DataSource with at least " + NEEDED + " connections for Dormouse, better " + WANTED
                        + ", but " + but + ". Raise the pool's maximum to that number plus what the application uses "
                        + "itself, or give Dormouse a URL or a DataSource of its own.",
                cause);
    }

    /**
     * Borrows connections up to {@link #WANTED}, on its own thread because some pools make a borrower wait forever. The
     * fields are guarded by the lock of this object; a connection that arrives after {@link #end} is closed at once.
     */
    private static final class Probe {
        private final DataSource source;
        private final List<Connection> borrowed = new ArrayList<>();
        private final CountDownLatch enough = new CountDownLatch(1);
        private final CountDownLatch done = new CountDownLatch(1);
        private @Nullable SQLException problem;
        private boolean isOver;

        Probe(DataSource source) {
            this.source = source;
        }

        ConnectionBudget run() throws SQLException {
            Thread thread = new Thread(this::borrow, "dormouse-probe");
            thread.setDaemon(true);
            thread.start();
            try {
                if (enough.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                    done.await(PATIENCE_FOR_MORE.toNanos(), TimeUnit.NANOSECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return end();
        }

        private void borrow() {
            try {
                while (add(source.getConnection())) {}
            } catch (SQLException e) {
                fail(e);
            } finally {
                enough.countDown();
                done.countDown();
            }
        }

        private synchronized boolean add(Connection connection) throws SQLException {
            if (isOver) {
                connection.close();
                return false;
            }
            borrowed.add(connection);
            if (borrowed.size() == NEEDED) {
                enough.countDown();
            }
            return borrowed.size() < WANTED;
        }

        private synchronized void fail(SQLException e) {
            problem = e;
        }

        private synchronized ConnectionBudget end() throws SQLException {
            isOver = true;
            for (Connection connection : borrowed) {
                connection.close();
            }
            if (borrowed.size() < NEEDED) {
                String reason = problem == null ? "" : " (" + problem.getMessage() + ")";
                throw tooFew(
                        "it gave " + borrowed.size() + " at once and no more within " + PATIENCE.toSeconds() + " s"
                                + reason,
                        problem);
            }
            return shared(borrowed.size());
        }
    }
}
