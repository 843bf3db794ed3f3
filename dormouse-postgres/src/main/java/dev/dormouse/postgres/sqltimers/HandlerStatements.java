package dev.dormouse.postgres.sqltimers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Statements that claim and end attempts of handler timers. A claim is a lease: a node that lost it can record nothing
 * more.
 */
public final class HandlerStatements {
    private HandlerStatements() {}

    /**
     * A claimed call.
     *
     * @param sinceDue the time since the timer was due
     */
    record Attempt(SqlTimerCall call, Duration sinceDue) {}

    static List<Attempt> claim(Connection connection, Collection<String> names, int most, long lease, Duration period)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select * from timers._claim(?, ?, ?, ?)")) {
            statement.setArray(1, connection.createArrayOf("text", names.toArray()));
            statement.setInt(2, most);
            statement.setLong(3, lease);
            statement.setInt(4, (int) period.toMillis());
            try (ResultSet rows = statement.executeQuery()) {
                List<Attempt> attempts = new ArrayList<>();
                while (rows.next()) {
                    attempts.add(attempt(rows));
                }
                return attempts;
            }
        }
    }

    private static Attempt attempt(ResultSet row) throws SQLException {
        SqlTimerCall call = new SqlTimerCall(
                row.getString("name"),
                row.getLong("timer_id"),
                row.getLong("key"),
                row.getInt("attempt"),
                Optional.ofNullable(row.getString("data")));
        return new Attempt(call, Duration.ofMillis(row.getLong("since_due")));
    }

    static void renew(Connection connection, List<SqlTimerCall> calls, long lease, Duration period)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select timers._renew(?, ?, ?, ?)")) {
            statement.setArray(
                    1,
                    connection.createArrayOf(
                            "int8", calls.stream().map(SqlTimerCall::id).toArray()));
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "int8", calls.stream().map(SqlTimerCall::shardKey).toArray()));
            statement.setLong(3, lease);
            statement.setInt(4, (int) period.toMillis());
            statement.executeQuery().close();
        }
    }

    /**
     * Records the end of an attempt. Without an error it succeeded; an error without a pause means that there is no
     * other attempt.
     */
    static void handled(
            Connection connection, SqlTimerCall call, long lease, Optional<String> error, Optional<Duration> pause)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select timers._handled(?, ?, ?, ?, ?, ?)")) {
            statement.setLong(1, call.id());
            statement.setLong(2, call.shardKey());
            statement.setLong(3, lease);
            statement.setInt(4, call.attempt());
            statement.setString(5, error.orElse(null));
            if (pause.isPresent()) {
                statement.setLong(6, pause.get().toMillis());
            } else {
                statement.setNull(6, Types.BIGINT);
            }
            statement.executeQuery().close();
        }
    }
}
