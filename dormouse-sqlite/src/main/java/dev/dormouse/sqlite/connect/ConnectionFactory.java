package dev.dormouse.sqlite.connect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteOpenMode;

/** A factory of connections with the settings that the store's guarantees depend on. */
public final class ConnectionFactory {
    /** Every commit is on disk before it is acknowledged. */
    private static final List<String> DURABLE = List.of("pragma synchronous = full");

    /** The log grows to 16 MB before a checkpoint, and is truncated to 64 MB after a burst. */
    private static final List<String> SIZED = List.of(
            "pragma temp_store = memory", "pragma wal_autocheckpoint = 4000", "pragma journal_size_limit = 67108864");

    /** Settings that detect damage and manipulated schemas early. The tables use no foreign keys. */
    private static final List<String> WARY =
            List.of("pragma foreign_keys = off", "pragma trusted_schema = off", "pragma cell_size_check = on");

    /** Users' statements run with SQLite's defaults, as on the users' own connections. */
    private static final List<String> AS_EVER = List.of();

    /** Opens the file without creating it: a file that is missing now has existed before. */
    private static final String READ_AND_WRITE = Integer.toString(SQLiteOpenMode.READWRITE.flag);

    private ConnectionFactory() {}

    public static ConnectionSource toFile(Path file, ConnectionRole role) {
        return () -> setUp(open(file.toString(), role), role, connection -> useLog(connection, file));
    }

    /** Opens a new database in memory, which is deleted when the connection is closed. */
    public static Connection toMemory() throws SQLException {
        return setUp(open(":memory:", ConnectionRole.WRITER), ConnectionRole.WRITER, connection -> {});
    }

    private static Connection open(String name, ConnectionRole role) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("busy_timeout", Long.toString(role.patience.toMillis()));
        properties.setProperty("cache_size", Integer.toString(-role.cacheKibibytes));
        properties.setProperty("jdbc.get_generated_keys", "false");
        properties.setProperty("open_mode", READ_AND_WRITE);
        return JDBC.createConnection("jdbc:sqlite:" + name, properties);
    }

    private static Connection setUp(Connection connection, ConnectionRole role, Step journal) throws SQLException {
        try {
            journal.take(connection);
            for (List<String> pragmas : List.of(DURABLE, SIZED, role == ConnectionRole.USER ? AS_EVER : WARY)) {
                for (String pragma : pragmas) {
                    execute(connection, pragma);
                }
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Switches to WAL mode and checks the result: on a file system without shared memory SQLite does not fail, but
     * keeps the old mode.
     */
    private static void useLog(Connection connection, Path file) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("pragma journal_mode = wal")) {
            String mode = rows.getString(1);
            if (!mode.equals("wal")) {
                throw new DormouseException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "Expected a write-ahead log for " + file + ", but SQLite stays in mode " + mode
                                + ". Put the file on a local disk.");
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @FunctionalInterface
    private interface Step {
        void take(Connection connection) throws SQLException;
    }
}
