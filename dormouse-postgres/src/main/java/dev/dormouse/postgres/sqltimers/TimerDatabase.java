package dev.dormouse.postgres.sqltimers;

import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.postgres.sql.SqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The node's own connections, logged in as the owner of schema timers. They only call functions of that schema, and
 * never run SQL of other roles. So every failure here is an outage, which the watch reports. Thread-safe.
 */
final class TimerDatabase {
    private final DataSource connections;
    private final StoreWatch watch;

    TimerDatabase(DataSource connections, StoreWatch watch) {
        this.connections = connections;
        this.watch = watch;
    }

    StoreWatch watch() {
        return watch;
    }

    /** Runs an operation of the node itself. A failure is reported as an outage. */
    <T> T call(String operation, Work<T> work) throws SQLException {
        StoreWatch.Call call = watch.began(operation);
        try {
            T answer = callForUser(work);
            watch.answered(call);
            return answer;
        } catch (SQLException e) {
            watch.failed(call, SqlErrors.unavailable(e));
            throw e;
        } finally {
            watch.ended(call);
        }
    }

    /** Runs an operation for a caller, who receives the exception and may have caused it. */
    <T> T callForUser(Work<T> work) throws SQLException {
        try (Connection connection = connections.getConnection()) {
            return work.run(connection);
        }
    }

    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }
}
