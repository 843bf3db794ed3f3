package dev.dormouse.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * A connection and the statements that were prepared on it: preparing one again costs more than running it. For one
 * thread at a time.
 */
final class Session implements AutoCloseable {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Session(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    Call call(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return new Call(this, sql, statement);
    }

    /** Runs a statement without parameters and without rows, such as {@code commit}. */
    void execute(String sql) throws SQLException {
        call(sql).update();
    }

    /** After it failed: the driver may have thrown the statement away. */
    void forget(String sql) {
        Quietly.close(prepared.remove(sql));
    }

    /** Closes the statements and leaves the connection as it is. */
    void release() {
        prepared.values().forEach(Quietly::close);
        prepared.clear();
    }

    @Override
    public void close() {
        release();
        Quietly.close(connection);
    }
}
