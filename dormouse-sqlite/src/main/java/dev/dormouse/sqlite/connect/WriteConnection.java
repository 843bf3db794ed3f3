package dev.dormouse.sqlite.connect;

import dev.dormouse.sqlite.sql.InstantColumns;
import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.sqlite.sql.WriteLockedException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one connection for all writes, one transaction at a time.
 *
 * <p>SQLite has one write lock per file. Threads of this process queue here, in order. If a user's own connection holds
 * the lock, the transaction retries every millisecond for up to 250 ms and is then refused without effect. (SQLite's
 * own back-off grows, which would leave the lock to a user that writes all the time.) Threads that queued meanwhile are
 * refused as well, so that a long lock delays any number of threads only once.
 *
 * <p>A transaction with a user's statements ({@link #lend}) has its own connection, so that the statements leave no
 * state in ours. It holds the write lock like any user's transaction: other writers wait briefly and are refused. A
 * database in memory has one connection, which it lends; other threads wait until it is returned.
 *
 * <p>Concurrency: thread-safe. {@code turn} protects {@code session} and the fairness state; {@code lending} allows one
 * user transaction at a time. Both are semaphores because the thread that returns a lent session may differ from the
 * one that borrowed it. {@code closed} is volatile so that a user transaction in progress sees it before its commit.
 *
 * <p>A connection whose transaction could not be rolled back is replaced, because its state is unknown.
 */
public final class WriteConnection implements ReadAccess {
    /** How long a transaction waits for a user's transaction. */
    private static final Duration MOMENT = Duration.ofMillis(250);

    /** How long a user transaction waits for the previous one, and closing for the last one. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Semaphore turn = new Semaphore(1, true);
    private final Semaphore lending = new Semaphore(1, true);
    private final WriteLockFairness fairness = new WriteLockFairness(System::nanoTime, LockSupport::parkNanos);
    private final AtomicInteger refusals = new AtomicInteger();
    private final ConnectionSource source;
    private final Optional<ConnectionSource> forUsers;
    private final InstantSource clock;
    private final FileIdentity identity;
    private @Nullable SqlSession session;
    private volatile boolean closed;

    /** @param forUsers opens other connections to the same data; empty for a database in memory, which has only one */
    public WriteConnection(
            ConnectionSource source, Optional<ConnectionSource> forUsers, InstantSource clock, FileIdentity identity) {
        this.source = source;
        this.forUsers = forUsers;
        this.clock = clock;
        this.identity = identity;
    }

    /** Returns the identity of the file that was opened. */
    public FileIdentity identity() {
        return identity;
    }

    /** Returns the store's clock in microseconds, rounded down so that it is never ahead of the clock. */
    public long now() {
        return InstantColumns.floor(clock.instant());
    }

    /**
     * Runs a transaction and commits it, or rolls it back if it throws.
     *
     * @throws WriteLockedException if another connection holds the write lock
     */
    public <T> T write(int shard, Work<T> work) throws SQLException {
        return inTurn(() -> transaction(session(), shard, work));
    }

    private <T> T inTurn(Step<T> step) throws SQLException {
        int refusedBefore = refusals.get();
        turn.acquireUninterruptibly();
        try {
            if (refusals.get() != refusedBefore) {
                throw new WriteLockedException();
            }
            fairness.before();
            return step.take();
        } finally {
            fairness.after();
            turn.release();
        }
    }

    /**
     * Lends a session in a transaction that holds the write lock, until {@link #takeBack}.
     *
     * @throws WriteLockedException if another connection holds the write lock
     */
    public SqlSession lend() throws SQLException {
        if (!isFree(lending)) {
            throw new WriteLockedException();
        }
        boolean isLent = false;
        try {
            SqlSession lent =
                    forUsers.isPresent() ? begun(new SqlSession(forUsers.get().open())) : lendOurs();
            isLent = true;
            return lent;
        } finally {
            if (!isLent) {
                lending.release();
            }
        }
    }

    private SqlSession begun(SqlSession fresh) throws SQLException {
        boolean hasBegun = false;
        try {
            inTurn(() -> {
                checkIsOpen();
                begin(fresh);
                return fresh;
            });
            hasBegun = true;
            return fresh;
        } finally {
            if (!hasBegun) {
                fresh.close();
            }
        }
    }

    private SqlSession lendOurs() throws SQLException {
        turn.acquireUninterruptibly();
        boolean hasBegun = false;
        try {
            SqlSession ours = session();
            begin(ours);
            hasBegun = true;
            return ours;
        } finally {
            if (!hasBegun) {
                turn.release();
            }
        }
    }

    /** Takes a lent session back and rolls back what is not committed. Must be called once. */
    public void takeBack(SqlSession lent, boolean isCommitted) {
        if (forUsers.isPresent()) {
            lent.close();
        } else {
            if (!isCommitted) {
                rollBack(lent);
            }
            turn.release();
        }
        lending.release();
    }

    private static boolean isFree(Semaphore semaphore) {
        try {
            return semaphore.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T> T transaction(SqlSession session, int shard, Work<T> work) throws SQLException {
        begin(session);
        boolean isCommitted = false;
        try {
            T result = work.run(new Tx(session, shard, now()));
            session.execute("commit");
            isCommitted = true;
            identity.checkCommitted();
            return result;
        } finally {
            if (!isCommitted) {
                rollBack(session);
            }
        }
    }

    /** Begins a transaction, with retries. SQLite waits for a millisecond in each attempt. */
    private void begin(SqlSession session) throws SQLException {
        identity.check();
        long start = System.nanoTime();
        while (!hasBegun(session)) {
            fairness.met();
            if (System.nanoTime() - start > MOMENT.toNanos()) {
                refusals.incrementAndGet();
                throw new WriteLockedException();
            }
        }
    }

    private static boolean hasBegun(SqlSession session) throws SQLException {
        try {
            session.execute("begin immediate");
            return true;
        } catch (SQLException e) {
            if (SqlErrors.isBusy(e)) {
                return false;
            }
            throw e;
        }
    }

    private void rollBack(SqlSession used) {
        try {
            used.execute("rollback");
        } catch (SQLException e) {
            if (forUsers.isPresent()) {
                used.close();
                session = null;
                identity.forgetLog();
            }
        }
    }

    private SqlSession session() throws SQLException {
        checkIsOpen();
        SqlSession current = session;
        if (current == null) {
            current = new SqlSession(source.open());
            session = current;
        }
        return current;
    }

    private void checkIsOpen() throws SQLException {
        if (closed) {
            throw SqlErrors.closed();
        }
    }

    /** Reads outside a transaction, in turn with the writers. */
    @Override
    public <T> T read(ReadAccess.Work<T> work) throws SQLException {
        turn.acquireUninterruptibly();
        try {
            return work.run(session());
        } finally {
            turn.release();
        }
    }

    /** Waits for the transaction in progress; for a user transaction at most {@code PATIENCE}. */
    @Override
    public void close() {
        boolean wasInterrupted = Thread.interrupted();
        boolean isBack = isFree(lending);
        if (isBack || forUsers.isPresent()) {
            turn.acquireUninterruptibly();
        }
        closed = true;
        if (session != null) {
            session.close();
        }
        if (isBack || forUsers.isPresent()) {
            turn.release();
        }
        if (isBack) {
            lending.release();
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    @FunctionalInterface
    private interface Step<T> {
        T take() throws SQLException;
    }

    /** Work in a transaction. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Tx tx) throws SQLException;
    }
}
