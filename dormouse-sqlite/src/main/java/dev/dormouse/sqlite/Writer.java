package dev.dormouse.sqlite;

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
 * The one connection through which everything is written, one transaction at a time.
 *
 * <p>SQLite has one write lock for the whole file. Threads of this process queue for it here, in order; only
 * transactions of the user's own connections are waited for by asking again, for a moment: every millisecond, and not
 * ever less often as SQLite does by itself, which would leave the lock to a user who writes all the time. Then the
 * transaction is refused, having done nothing. Whoever queued in the meantime is refused with it instead of waiting for
 * another moment, so that a lock that is held for long holds up any number of threads for a moment only.
 *
 * <p>A transaction with a user's statements ({@link #lend}) has a connection of its own, so that nothing of what they
 * leave in it reaches ours, and it holds the file's write lock like any user's transaction: others who write wait for it
 * for a moment and are refused. Only a database in memory lends the one connection that it has, and all others wait for
 * their turn until it comes back. Whoever lent it need not be who gives it back: the turn belongs to no thread.
 *
 * <p>After a transaction that could not even be rolled back the connection is replaced, as nobody knows its state.
 */
final class Writer implements Reads {
    /** How long a transaction waits for one of the user's. */
    private static final Duration MOMENT = Duration.ofMillis(250);

    /** How long a transaction with a user's statements waits for the one before it, and closing for the last one. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Semaphore turn = new Semaphore(1, true);
    private final Semaphore lending = new Semaphore(1, true);
    private final Courtesy courtesy = new Courtesy(System::nanoTime, LockSupport::parkNanos);
    private final AtomicInteger refusals = new AtomicInteger();
    private final ConnectionSource source;
    private final Optional<ConnectionSource> forUsers;
    private final InstantSource clock;
    private final FileIdentity identity;
    private @Nullable Session session;
    private volatile boolean closed;

    /**
     * @param forUsers other connections to the same data; empty for a database in memory, which has one only
     */
    Writer(ConnectionSource source, Optional<ConnectionSource> forUsers, InstantSource clock, FileIdentity identity) {
        this.source = source;
        this.forUsers = forUsers;
        this.clock = clock;
        this.identity = identity;
    }

    /** Tells whether the file is the one that was opened. */
    FileIdentity identity() {
        return identity;
    }

    /** The store's clock, in microseconds, rounded down: now is never ahead of the clock. */
    long now() {
        return Instants.floor(clock.instant());
    }

    /**
     * Runs a transaction and commits it, or rolls it back when it throws.
     *
     * @throws WriteLockedException when it could not be begun because of somebody else's lock
     */
    <T> T write(int shard, Work<T> work) throws SQLException {
        return inTurn(() -> transaction(session(), shard, work));
    }

    private <T> T inTurn(Step<T> step) throws SQLException {
        int refusedBefore = refusals.get();
        turn.acquireUninterruptibly();
        try {
            if (refusals.get() != refusedBefore) {
                throw new WriteLockedException();
            }
            courtesy.before();
            return step.take();
        } finally {
            courtesy.after();
            turn.release();
        }
    }

    /**
     * A session in a transaction that holds the write lock, until it is {@link #takeBack given back}.
     *
     * @throws WriteLockedException when it could not be begun because of somebody else's lock
     */
    Session lend() throws SQLException {
        if (!isFree(lending)) {
            throw new WriteLockedException();
        }
        boolean isLent = false;
        try {
            Session lent =
                    forUsers.isPresent() ? begun(new Session(forUsers.get().open())) : lendOurs();
            isLent = true;
            return lent;
        } finally {
            if (!isLent) {
                lending.release();
            }
        }
    }

    private Session begun(Session fresh) throws SQLException {
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

    private Session lendOurs() throws SQLException {
        turn.acquireUninterruptibly();
        boolean hasBegun = false;
        try {
            Session ours = session();
            begin(ours);
            hasBegun = true;
            return ours;
        } finally {
            if (!hasBegun) {
                turn.release();
            }
        }
    }

    /** What its transaction has not committed is rolled back. To be called once. */
    void takeBack(Session lent, boolean isCommitted) {
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

    private <T> T transaction(Session session, int shard, Work<T> work) throws SQLException {
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

    /** SQLite waits for a millisecond before it gives up once. */
    private void begin(Session session) throws SQLException {
        identity.check();
        long start = System.nanoTime();
        while (!hasBegun(session)) {
            courtesy.met();
            if (System.nanoTime() - start > MOMENT.toNanos()) {
                refusals.incrementAndGet();
                throw new WriteLockedException();
            }
        }
    }

    private static boolean hasBegun(Session session) throws SQLException {
        try {
            session.execute("begin immediate");
            return true;
        } catch (SQLException e) {
            if (Failures.isBusy(e)) {
                return false;
            }
            throw e;
        }
    }

    private void rollBack(Session used) {
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

    private Session session() throws SQLException {
        checkIsOpen();
        Session current = session;
        if (current == null) {
            current = new Session(source.open());
            session = current;
        }
        return current;
    }

    private void checkIsOpen() throws SQLException {
        if (closed) {
            throw Failures.closed();
        }
    }

    /** Reads outside of a transaction, in turn with those who write. */
    @Override
    public <T> T read(Reads.Work<T> work) throws SQLException {
        turn.acquireUninterruptibly();
        try {
            return work.run(session());
        } finally {
            turn.release();
        }
    }

    /** Waits for what is under way, but for a user's statements not without end. */
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

    boolean isClosed() {
        return closed;
    }

    @FunctionalInterface
    private interface Step<T> {
        T take() throws SQLException;
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(Tx tx) throws SQLException;
    }
}
