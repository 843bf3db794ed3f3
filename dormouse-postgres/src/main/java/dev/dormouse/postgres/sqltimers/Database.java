package dev.dormouse.postgres.sqltimers;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The node's own connections, logged in as the owner of schema timers. No SQL that anybody else wrote ever runs on them:
 * all they do is call functions of that schema.
 */
final class Database {
    private final DataSource connections;

    Database(DataSource connections) {
        this.connections = connections;
    }

    <T> T call(Work<T> work) throws SQLException {
        try (Connection connection = connections.getConnection()) {
            return work.run(connection);
        }
    }

    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }
}
