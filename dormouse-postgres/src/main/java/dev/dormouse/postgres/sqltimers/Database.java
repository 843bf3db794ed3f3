package dev.dormouse.postgres.sqltimers;

import dev.dormouse.engine.StoreWatch;
import dev.dormouse.postgres.SqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The node's own connections, logged in as the owner of schema timers. No SQL that anybody else wrote ever runs on them:
 * all they do is call functions of that schema. So whatever fails here is an outage, and the watch reports it.
 */
final class Database {
    private final DataSource connections;
    private final StoreWatch watch;

    Database(DataSource connections, StoreWatch watch) {
        this.connections = connections;
        this.watch = watch;
    }

    StoreWatch watch() {
        return watch;
    }

    /** Asks for what the node itself needs. */
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

    /** Asks for what a caller wants, who is told of a failure and may have caused it. */
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
