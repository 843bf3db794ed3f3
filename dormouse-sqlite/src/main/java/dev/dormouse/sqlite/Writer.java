package dev.dormouse.sqlite;

import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
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
 * <p>After a transaction that could not even be rolled back the connection is replaced, as nobody knows its state.
 */
final class Writer implements Reads {
    /** How long a transaction waits for one of the user's. */
    private static final Duration MOMENT = Duration.ofMillis(250);

    private final ReentrantLock turn = new ReentrantLock(true);
    private final Courtesy courtesy = new Courtesy(System::nanoTime, LockSupport::parkNanos);
    private final AtomicInteger refusals = new AtomicInteger();
    private final ConnectionSource source;
    private final boolean isReplaceable;
    private final InstantSource clock;
    private @Nullable Session session;
    private boolean closed;

    /**
     * @param isReplaceable whether another connection leads to the same data; not so for a database in memory
     */
    Writer(ConnectionSource source, boolean isReplaceable, InstantSource clock) {
        this.source = source;
        this.isReplaceable = isReplaceable;
        this.clock = clock;
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
        int refusedBefore = refusals.get();
        turn.lock();
        try {
            if (refusals.get() != refusedBefore) {
                throw new WriteLockedException();
            }
            courtesy.before();
            return transaction(session(), shard, work);
        } finally {
            courtesy.after();
            turn.unlock();
        }
    }

    private <T> T transaction(Session session, int shard, Work<T> work) throws SQLException {
        begin(session);
        boolean isCommitted = false;
        try {
            T result = work.run(new Tx(session, shard, now()));
            session.execute("commit");
            isCommitted = true;
            return result;
        } finally {
            if (!isCommitted) {
                rollBack(session);
            }
        }
    }

    /** SQLite waits for a millisecond before it gives up once. */
    private void begin(Session session) throws SQLException {
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
            if (isReplaceable) {
                used.close();
                session = null;
            }
        }
    }

    private Session session() throws SQLException {
        if (closed) {
            throw Failures.closed();
        }
        Session current = session;
        if (current == null) {
            current = new Session(source.open());
            session = current;
        }
        return current;
    }

    /** Reads outside of a transaction, in turn with those who write. */
    @Override
    public <T> T read(Reads.Work<T> work) throws SQLException {
        turn.lock();
        try {
            return work.run(session());
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        turn.lock();
        try {
            closed = true;
            if (session != null) {
                session.close();
            }
        } finally {
            turn.unlock();
        }
    }

    /** What is done in a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T run(Tx tx) throws SQLException;
    }
}
