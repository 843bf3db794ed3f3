package dev.dormouse.chaos.cluster;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Connections to PostgreSQL that tests have used and may use again. A test that waits asks many times a second, and a
 * new connection costs both sides more than the query. Connections to a SQLite file are closed at once: an open one
 * would take part in its locks.
 */
final class IdleConnections {
    private static final Map<String, Queue<Connection>> IDLE = new ConcurrentHashMap<>();
    private static final int VALID_SECONDS = 5;

    private IdleConnections() {}

    /** A connection of one caller until it is closed. */
    record Lent(String url, Connection connection) implements AutoCloseable {
        @Override
        public void close() throws SQLException {
            if (url.startsWith("jdbc:postgresql:")) {
                idle(url).add(connection);
            } else {
                connection.close();
            }
        }
    }

    private static Queue<Connection> idle(String url) {
        return IDLE.computeIfAbsent(url, unused -> new ConcurrentLinkedQueue<>());
    }

    /** Returns an idle connection, or a new one. Those that a stopped or crashed server has cut are dropped. */
    static Lent lend(String url) throws SQLException {
        for (Connection idle = idle(url).poll(); idle != null; idle = idle(url).poll()) {
            if (idle.isValid(VALID_SECONDS)) {
                return new Lent(url, idle);
            }
            idle.close();
        }
        return new Lent(url, DriverManager.getConnection(url));
    }
}
