package dev.dormouse.sqlite;

import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/**
 * A few sessions for reading. In WAL mode they neither wait for the writer nor make it wait. The latest one to come
 * back is the first to be lent again, so that one alone serves those who read one after the other. A pool of our own
 * and not a library's, because a session keeps its prepared statements, and a file's connections do not die as those to
 * a server do.
 */
final class Readers implements Reads {
    private static final int SESSIONS = 4;

    private final ConnectionSource source;
    private final Semaphore free = new Semaphore(SESSIONS, true);
    private final Deque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(ConnectionSource source) {
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

    private Session borrow() throws SQLException {
        if (closed) {
            throw Failures.closed();
        }
        Session session = idle.pollFirst();
        return session == null ? new Session(source.open()) : session;
    }

    private <T> T readWith(Session session, Work<T> work) throws SQLException {
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

    /** Waits for those who are reading. */
    @Override
    public void close() {
        free.acquireUninterruptibly(SESSIONS);
        closed = true;
        idle.forEach(Session::close);
        idle.clear();
        free.release(SESSIONS);
    }
}
