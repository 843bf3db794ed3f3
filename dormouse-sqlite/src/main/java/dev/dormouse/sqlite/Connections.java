package dev.dormouse.sqlite;

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

/** Opens connections and sets them up: what the store promises rests on these settings. */
final class Connections {
    /** Every commit is on the disk before it is answered. */
    private static final List<String> DURABLE = List.of("pragma synchronous = full");

    /** How long the log grows before it is worked into the database (16 MB), and what is left of it after a burst. */
    private static final List<String> SIZED = List.of(
            "pragma temp_store = memory", "pragma wal_autocheckpoint = 4000", "pragma journal_size_limit = 67108864");

    /** Damage and strange schemas are noticed sooner; the tables need no foreign keys. */
    private static final List<String> WARY =
            List.of("pragma foreign_keys = off", "pragma trusted_schema = off", "pragma cell_size_check = on");

    /** A user's statements find what SQLite's defaults are, as on the user's own connections. */
    private static final List<String> AS_EVER = List.of();

    /** And not create: a file that is missing was there before. */
    private static final String READ_AND_WRITE = Integer.toString(SQLiteOpenMode.READWRITE.flag);

    private Connections() {}

    static ConnectionSource toFile(Path file, Role role) {
        return () -> setUp(open(file.toString(), role), role, connection -> useLog(connection, file));
    }

    /** A database of its own that is gone when the connection is closed. */
    static Connection toMemory() throws SQLException {
        return setUp(open(":memory:", Role.WRITER), Role.WRITER, connection -> {});
    }

    private static Connection open(String name, Role role) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("busy_timeout", Long.toString(role.patience.toMillis()));
        properties.setProperty("cache_size", Integer.toString(-role.cacheKibibytes));
        properties.setProperty("jdbc.get_generated_keys", "false");
        properties.setProperty("open_mode", READ_AND_WRITE);
        return JDBC.createConnection("jdbc:sqlite:" + name, properties);
    }

    private static Connection setUp(Connection connection, Role role, Step journal) throws SQLException {
        try {
            journal.take(connection);
            for (List<String> pragmas : List.of(DURABLE, SIZED, role == Role.USER ? AS_EVER : WARY)) {
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

    /** SQLite does not fail where a file system has no shared memory for the log: it stays as it was. */
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
