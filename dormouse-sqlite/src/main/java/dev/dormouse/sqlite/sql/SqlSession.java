package dev.dormouse.sqlite.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * A connection with its prepared statements: preparing a statement again costs more than running it. Not thread-safe.
 */
public final class SqlSession implements AutoCloseable {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    public SqlSession(Connection connection) {
        this.connection = connection;
    }

    public Connection connection() {
        return connection;
    }

    public StatementCall call(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return new StatementCall(this, sql, statement);
    }

    /** Runs a statement without parameters and without rows, such as {@code commit}. */
    public void execute(String sql) throws SQLException {
        call(sql).update();
    }

    /** Drops a statement that failed: the driver may have closed it. */
    void forget(String sql) {
        Quietly.close(prepared.remove(sql));
    }

    /** Closes the statements but not the connection. */
    public void release() {
        prepared.values().forEach(Quietly::close);
        prepared.clear();
    }

    @Override
    public void close() {
        release();
        Quietly.close(connection);
    }
}
