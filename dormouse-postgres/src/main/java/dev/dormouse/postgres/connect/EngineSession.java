package dev.dormouse.postgres.connect;

import dev.dormouse.postgres.sql.SqlErrors;
import dev.dormouse.postgres.sql.UnsuitableSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The part of a session's state that the engine changes.
 *
 * @param prepareThreshold with 1, statements are prepared on the server from their first use
 */
record EngineSession(
        Map<String, String> settings,
        boolean autoCommit,
        boolean readOnly,
        int networkTimeoutMillis,
        int prepareThreshold) {
    private static final String WRITE = "select pg_catalog.pg_is_in_recovery(), "
            + "pg_catalog.count(pg_catalog.set_config(s.name, s.value, false)) "
            + "from unnest(?::pg_catalog.text[], ?::pg_catalog.text[]) as s(name, value) where "
            + SessionSettings.MUST_CHANGE;

    static EngineSession of(SessionSettings wanted) {
        return new EngineSession(
                wanted.values(), true, false, (int) wanted.networkTimeout().toMillis(), 1);
    }

    /** Reads the current state of a connection. */
    static EngineSession read(Connection connection, Set<String> names) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        return new EngineSession(
                readSettings(connection, names),
                autoCommit,
                connection.isReadOnly(),
                connection.getNetworkTimeout(),
                connection.unwrap(PGConnection.class).getPrepareThreshold());
    }

    /**
     * Applies this state to a connection. Throws if the server is a standby, or if the role may not change a setting
     * that must change.
     */
    void apply(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        connection.setReadOnly(readOnly);
        connection.unwrap(PGConnection.class).setPrepareThreshold(prepareThreshold);
        int before = connection.getNetworkTimeout();
        boolean isShorter = before == 0 || networkTimeoutMillis > 0 && networkTimeoutMillis < before;
        if (isShorter) {
            connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
        }
        writeSettings(connection); // under the shorter timeout, because the server may have vanished
        if (!isShorter) {
            connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
        }
        connection.setAutoCommit(autoCommit);
    }

    private static Map<String, String> readSettings(Connection connection, Set<String> names) throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "select name, pg_catalog.current_setting(name, true) from pg_catalog.unnest(?::pg_catalog.text[]) name")) {
            statement.setObject(1, names.toArray(String[]::new));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    @Nullable String value = rows.getString(2);
                    if (value != null) {
                        found.put(rows.getString(1), value);
                    }
                }
            }
        }
        return found;
    }

    private void writeSettings(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            statement.setObject(1, settings.keySet().toArray(String[]::new));
            statement.setObject(2, settings.values().toArray(String[]::new));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                if (rows.getBoolean(1)) {
                    throw SqlErrors.standby();
                }
            }
        } catch (SQLException e) {
            throw SqlErrors.state(e).equals(SqlErrors.INSUFFICIENT_PRIVILEGE) ? new UnsuitableSession(e) : e;
        }
    }
}
