package dev.dormouse.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * The state of a session as far as the engine changes it.
 *
 * @param prepareThreshold with 1, statements are prepared on the server from their first use
 */
record EngineSession(
        Map<String, String> settings,
        boolean autoCommit,
        boolean readOnly,
        int networkTimeoutMillis,
        int prepareThreshold) {

    static EngineSession of(EngineSettings wanted) {
        return new EngineSession(
                wanted.values(), true, false, (int) wanted.networkTimeout().toMillis(), 1);
    }

    /** How these settings stand in a connection now. */
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

    /** Makes them stand so. */
    void apply(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        connection.setReadOnly(readOnly);
        connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
        connection.unwrap(PGConnection.class).setPrepareThreshold(prepareThreshold);
        writeSettings(connection);
        connection.setAutoCommit(autoCommit);
    }

    private static Map<String, String> readSettings(Connection connection, Set<String> names) throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "select name, pg_catalog.current_setting(name) from unnest(?::text[]) name")) {
            statement.setObject(1, names.toArray(String[]::new));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        return found;
    }

    private void writeSettings(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select pg_catalog.set_config(name, value, false)
                from unnest(?::text[], ?::text[]) as s(name, value)
                """)) {
            statement.setObject(1, settings.keySet().toArray(String[]::new));
            statement.setObject(2, settings.values().toArray(String[]::new));
            statement.executeQuery().close();
        }
    }
}
