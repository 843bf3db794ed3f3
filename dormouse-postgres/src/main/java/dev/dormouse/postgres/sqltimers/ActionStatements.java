package dev.dormouse.postgres.sqltimers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the node itself asks and records about actions; it runs none. */
final class ActionStatements {
    private ActionStatements() {}

    /** A timer that is due and must run alone. */
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
     * An action ended without an answer.
     *
     * @param most after so many the timer has failed
     * @return false when that could not be recorded, because its transaction may still be going on
     */
    static boolean lost(Connection connection, Due timer, int most, String state, String message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select timers._lost(?, ?, ?, ?, ?)")) {
            statement.setLong(1, timer.id());
            statement.setLong(2, timer.shardKey());
            statement.setInt(3, most);
            statement.setString(4, state);
            statement.setString(5, message);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                row.getShort(1);
                return !row.wasNull();
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
