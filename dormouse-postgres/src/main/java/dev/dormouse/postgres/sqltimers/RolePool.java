package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that are logged in as one role. Those who borrow them bound how many there are; what is not used for
 * some minutes is closed, and so is everything that had an error.
 */
final class RolePool {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final Duration KEEP = Duration.ofMinutes(5);

    private final Logins logins;
    private final String role;
    private final String ownRole;
    private final Threads threads;
    private final Deque<ActionConnection> idle = new ArrayDeque<>();
    private final Set<ActionConnection> busy = new HashSet<>();
    private boolean closed;

    RolePool(Logins logins, String role, String ownRole, Threads threads) {
        this.logins = logins;
        this.role = role;
        this.ownRole = ownRole;
        this.threads = threads;
    }

    ActionConnection borrow() throws SQLException {
        for (Optional<ActionConnection> next = takeIdle(); next.isPresent(); next = takeIdle()) {
            ActionConnection connection = next.get();
            if (connection.idle(threads.nanoTime()).compareTo(FRESH) < 0 || connection.isAlive()) {
                return lent(connection);
            }
            connection.cut();
        }
        return lent(open());
    }

    private synchronized ActionConnection lent(ActionConnection connection) throws SQLException {
        if (closed) {
            connection.cut();
            throw new SQLException("Expected connections of role " + role + ", but the node is closed.");
        }
        busy.add(connection);
        return connection;
    }

    /** Whether the process at the other end of a connection stays the same: behind some poolers it does not. */
    boolean isDirect() {
        return logins.isDirect();
    }

    /** A connection that nobody has used, whatever there is. */
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

    /** What cannot be cleaned is not used again. */
    void giveBack(ActionConnection connection) {
        try {
            connection.clean(threads.nanoTime());
        } catch (SQLException e) {
            discard(connection);
            return;
        }
        if (!keep(connection)) {
            connection.cut();
        }
    }

    synchronized void discard(ActionConnection connection) {
        busy.remove(connection);
        connection.cut();
    }

    private synchronized boolean keep(ActionConnection connection) {
        busy.remove(connection);
        if (!closed) {
            idle.addFirst(connection);
        }
        return !closed;
    }

    /** Makes sure that one is there when it is needed soon. */
    void warm() throws SQLException {
        giveBack(borrow());
    }

    synchronized void trim() {
        long now = threads.nanoTime();
        idle.stream().filter(one -> one.idle(now).compareTo(KEEP) > 0).forEach(ActionConnection::cut);
        idle.removeIf(one -> one.idle(now).compareTo(KEEP) > 0);
    }

    synchronized boolean isBusy() {
        return !busy.isEmpty();
    }

    synchronized void close() {
        closed = true;
        idle.forEach(ActionConnection::cut);
        idle.clear();
        busy.forEach(ActionConnection::cut);
    }
}
