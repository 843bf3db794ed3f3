package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.thread.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that are logged in as one role. Borrowers bound their number ({@link ConnectionLimit}). Connections
 * that are idle for some minutes, and connections that had an error, are closed.
 *
 * <p>Concurrency: thread-safe. {@code idle}, {@code busy} and {@code closed} are guarded by the lock of this object,
 * which is not held while a connection is opened or cleaned.
 */
final class RolePool {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration KEEP = Duration.ofMinutes(5);
    private static final Duration NONE = Duration.ofNanos(-1);

    private final RoleLogins logins;
    private final ConnectionLimit limit;
    private final String role;
    private final String ownRole;
    private final Threads threads;
    private final Deque<ActionConnection> idle = new ArrayDeque<>();
    private final Set<ActionConnection> busy = new HashSet<>();
    private boolean closed;

    RolePool(TimerNodeContext node, String role) {
        this.logins = node.logins();
        this.limit = node.limit();
        this.role = role;
        this.ownRole = node.ownRole();
        this.threads = node.threads();
        limit.add(this);
    }

    ActionConnection borrow() throws SQLException {
        for (Optional<ActionConnection> next = takeIdle(); next.isPresent(); next = takeIdle()) {
            ActionConnection connection = next.get();
            if (connection.idle(threads.nanoTime()).compareTo(FRESH) < 0 || connection.isAlive()) {
                return lent(connection);
            }
            end(connection);
        }
        limit.enter(this::isClosed);
        try {
            return lent(open());
        } catch (SQLException | RuntimeException e) {
            limit.leave();
            throw e;
        }
    }

    private void end(ActionConnection connection) {
        connection.cut();
        limit.leave();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized ActionConnection lent(ActionConnection connection) throws SQLException {
        if (closed) {
            connection.cut();
            throw new SQLException("Expected connections of role " + role + ", but the node is closed.");
        }
        busy.add(connection);
        return connection;
    }

    /** Returns false behind a pooler that changes the server process of a connection. */
    boolean isDirect() {
        return logins.isDirect();
    }

    /** Opens a new connection, outside the pool and its limit. */
    ActionConnection open() throws SQLException {
        Connection opened = logins.open(role, ownRole);
        try {
            return new ActionConnection(opened);
        } catch (SQLException e) {
            opened.close();
            throw e;
        }
    }

    private synchronized Optional<ActionConnection> takeIdle() {
        return Optional.ofNullable(idle.pollFirst());
    }

    /** Cleans a connection and returns it to the pool, or closes it if that fails. */
    void giveBack(ActionConnection connection) {
        try {
            connection.clean(threads.nanoTime());
        } catch (SQLException e) {
            discard(connection);
            return;
        }
        if (!keep(connection)) {
            end(connection);
        }
    }

    void discard(ActionConnection connection) {
        synchronized (this) {
            busy.remove(connection);
        }
        end(connection);
    }

    private synchronized boolean keep(ActionConnection connection) {
        busy.remove(connection);
        boolean kept = !closed && !limit.isWanted();
        if (kept) {
            idle.addFirst(connection);
        }
        return kept;
    }

    /** Opens a connection that is needed soon, unless another role would have to give one up. */
    void warm() throws SQLException {
        if (hasIdle() || limit.hasRoom()) {
            giveBack(borrow());
        }
    }

    private synchronized boolean hasIdle() {
        return !idle.isEmpty();
    }

    void trim() {
        while (longestIdle().compareTo(KEEP) > 0) {
            closeLongestIdle();
        }
    }

    /** Returns the longest idle time; negative if no connection is idle. */
    synchronized Duration longestIdle() {
        return idle.isEmpty() ? NONE : idle.getLast().idle(threads.nanoTime());
    }

    /** Closes the connection that was idle longest. Returns false if none is idle. */
    boolean closeLongestIdle() {
        Optional<ActionConnection> longest;
        synchronized (this) {
            longest = Optional.ofNullable(idle.pollLast());
        }
        longest.ifPresent(this::end);
        return longest.isPresent();
    }

    synchronized boolean isBusy() {
        return !busy.isEmpty();
    }

    /** Closes idle connections and aborts borrowed ones, which the borrowers then discard. */
    void close() {
        synchronized (this) {
            closed = true;
            busy.forEach(ActionConnection::cut);
        }
        limit.remove(this);
        while (closeLongestIdle()) {}
    }
}
