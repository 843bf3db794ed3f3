package dev.dormouse.postgres.sqltimers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Statements with which a node reads and records actions. They run no action. */
public final class ActionStatements {
    /** The value of column {@code status} for a failed timer. */
    static final int FAILED = 2;

    private ActionStatements() {}

    /** A due timer that must run alone. */
    record Due(long id, long shardKey, Duration timeout) {
        boolean hasTimeout() {
            return !timeout.isZero();
        }
    }

    static List<Due> dueApart(Connection connection, String role, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select * from timers._due_apart(?, ?)")) {
            statement.setString(1, role);
            statement.setInt(2, most);
            try (ResultSet rows = statement.executeQuery()) {
                List<Due> due = new ArrayList<>();
                while (rows.next()) {
                    due.add(new Due(rows.getLong(1), rows.getLong(2), Duration.ofMillis(rows.getInt(3))));
                }
                return due;
            }
        }
    }

    /**
     * An action that ended without an answer.
     *
     * @param most the number of losses after which the timer fails
     */
    record Loss(Due timer, int most, Duration ran, String state, String message) {}

    /** Records a loss and returns the timer's status; empty if its transaction may still be running. */
    static OptionalInt lost(Connection connection, Loss loss) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select timers._lost(?, ?, ?, ?, ?, ?)")) {
            statement.setLong(1, loss.timer().id());
            statement.setLong(2, loss.timer().shardKey());
            statement.setInt(3, loss.most());
            statement.setLong(4, loss.ran().toMillis());
            statement.setString(5, loss.state());
            statement.setString(6, loss.message());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                int status = row.getShort(1);
                return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(status);
            }
        }
    }

    /** The reason why a timer has failed. */
    record Failed(String state, String message) {}

    static Optional<Failed> failed(Connection connection, Due timer) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "select sqlstate, error from timers.timers where shard_key = ? and id = ? and status = " + FAILED)) {
            statement.setLong(1, timer.shardKey());
            statement.setLong(2, timer.id());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(new Failed(row.getString(1), row.getString(2))) : Optional.empty();
            }
        }
    }

    static int failOrphans(Connection connection, String role, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select timers._fail_orphans(?, ?)")) {
            statement.setString(1, role);
            statement.setInt(2, most);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
