package dev.dormouse.sqlite.connect;

import dev.dormouse.sqlite.sql.SqlErrors;
import dev.dormouse.sqlite.sql.SqlSession;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/**
 * A pool of sessions for reading. In WAL mode readers and the writer do not block each other. The session that was
 * returned last is lent first, so that one session serves sequential reads. This is not a library's pool because a
 * session keeps its prepared statements, and connections to a file do not fail like connections to a server.
 *
 * <p>Concurrency: thread-safe. At most {@code SESSIONS} threads read at a time; the others wait in order. {@link
 * #close} waits for all of them, and later reads throw.
 */
public final class ReaderPool implements ReadAccess {
    private static final int SESSIONS = 4;

    private final ConnectionSource source;
    private final Semaphore free = new Semaphore(SESSIONS, true);
    private final Deque<SqlSession> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    public ReaderPool(ConnectionSource source) {
        this.source = source;
    }

    @Override
    public <T> T read(Work<T> work) throws SQLException {
        free.acquireUninterruptibly();
        try {
            return readWith(borrow(), work);
        } finally {
            free.release();
        }
    }

    private SqlSession borrow() throws SQLException {
        if (closed) {
            throw SqlErrors.closed();
        }
        SqlSession session = idle.pollFirst();
        return session == null ? new SqlSession(source.open()) : session;
    }

    private <T> T readWith(SqlSession session, Work<T> work) throws SQLException {
        boolean isFine = false;
        try {
            T result = work.run(session);
            isFine = true;
            return result;
        } finally {
            if (isFine) {
                idle.addFirst(session);
            } else {
                session.close();
            }
        }
    }

    /** Waits for the reads in progress, then closes all sessions. */
    @Override
    public void close() {
        free.acquireUninterruptibly(SESSIONS);
        closed = true;
        idle.forEach(SqlSession::close);
        idle.clear();
        free.release(SESSIONS);
    }
}
