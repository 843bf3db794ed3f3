package dev.dormouse.store.jdbc;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/**
 * The schema of a store: a list of numbered migrations, and a table that lists the migrations that a database has.
 * Immutable and thread-safe.
 *
 * <p>All missing migrations are applied in one transaction, under a lock that lets one process at a time continue. If
 * many nodes start at once on an empty database, one of them creates the tables and the others find them. It is an
 * error if the schema is newer than this list, or if it is older and must not be changed.
 */
public final class Migrations {
    private final List<Migration> migrations;

    private Migrations(List<Migration> migrations) {
        this.migrations = migrations;
    }

    /**
     * Reads migrations from resources such as {@code V1__run.sql} next to a class.
     *
     * @throws IllegalArgumentException if they are not numbered from 1 without a gap
     */
    public static Migrations of(Class<?> anchor, String... resources) {
        List<Migration> read = Stream.of(resources)
                .map(resource -> Migration.read(anchor, resource))
                .toList();
        for (int i = 0; i < read.size(); i++) {
            if (read.get(i).version() != i + 1) {
                throw new IllegalArgumentException("Expected migrations 1, 2, 3 and so on, but number " + (i + 1)
                        + " is V" + read.get(i).version() + ".");
            }
        }
        return new Migrations(read);
    }

    /** Returns the version of the schema after the last migration. */
    public int latest() {
        return migrations.size();
    }

    /**
     * Brings the schema to the latest version, or checks that it has that version.
     *
     * @param connection a connection outside of a transaction; it is outside of a transaction afterwards
     * @param migrate true if the schema may be changed
     * @throws DormouseException SCHEMA_TOO_NEW, or SCHEMA_MISSING if the schema is old and {@code migrate} is false
     */
    public void apply(Connection connection, MigrationDialect dialect, boolean migrate) throws SQLException {
        apply(connection, dialect, migrate, version -> {});
    }

    /** A check before the schema is changed. */
    @FunctionalInterface
    public interface Guard {
        /**
         * Throws if the schema must not be changed now.
         *
         * @param found the present version; 0 for an empty database
         */
        void check(int found) throws SQLException;
    }

    /**
     * Brings the schema to the latest version, or checks that it has that version.
     *
     * @param guard called before a change, within its transaction and under its lock
     * @throws DormouseException SCHEMA_TOO_NEW, SCHEMA_MISSING as in {@link #apply(Connection, MigrationDialect, boolean)}
     */
    public void apply(Connection connection, MigrationDialect dialect, boolean migrate, Guard guard)
            throws SQLException {
        int found = version(connection, dialect);
        checkNotNewer(found, dialect);
        if (found == latest()) {
            return;
        }
        if (!migrate) {
            throw new DormouseException(ErrorCode.SCHEMA_MISSING, missing(found, dialect));
        }
        createVersionTable(connection, dialect);
        inTransaction(connection, () -> upgrade(connection, dialect, guard));
    }

    /** Returns the SQL from an empty database to the latest version, to review it or to run it manually. */
    public String print(MigrationDialect dialect) {
        StringBuilder script = new StringBuilder(dialect.createVersionTable()).append(";\n");
        for (Migration migration : migrations) {
            script.append("\n-- ").append(migration.version()).append(": ").append(migration.name());
            script.append("\n\n").append(dialect.fill(migration.sql()).strip()).append("\n\n");
            script.append(record(migration, dialect)).append(";\n");
        }
        return script.toString();
    }

    private static int version(Connection connection, MigrationDialect dialect) throws SQLException {
        if (queryInt(connection, dialect.versionTableExists()) == 0) {
            return 0;
        }
        return queryInt(connection, "select coalesce(max(version), 0) from " + dialect.versionTable());
    }

    private void checkNotNewer(int found, MigrationDialect dialect) {
        if (found > latest()) {
            throw new DormouseException(
                    ErrorCode.SCHEMA_TOO_NEW,
                    "Expected schema version " + latest() + " or less in " + dialect.versionTable() + ", but found "
                            + found + ". Use a Dormouse version that is at least as new as the one that wrote it.");
        }
    }

    private String missing(int found, MigrationDialect dialect) {
        return "Expected schema version " + latest() + " in " + dialect.versionTable() + ", but "
                + (found == 0 ? "there are no Dormouse tables" : "found version " + found)
                + ". Let Dormouse migrate, or apply the SQL that 'dormouse migrate --print' prints.";
    }

    /** Creates the version table unless it exists. Ignores an error if another process has created it meanwhile. */
    private static void createVersionTable(Connection connection, MigrationDialect dialect) throws SQLException {
        if (queryInt(connection, dialect.versionTableExists()) != 0) {
            return;
        }
        try {
            execute(connection, dialect.createVersionTable());
        } catch (SQLException e) {
            if (queryInt(connection, dialect.versionTableExists()) == 0) {
                throw e;
            }
        }
    }

    private void upgrade(Connection connection, MigrationDialect dialect, Guard guard) throws SQLException {
        execute(connection, dialect.lock());
        int found = version(connection, dialect);
        checkNotNewer(found, dialect);
        if (found < latest()) {
            guard.check(found);
        }
        for (Migration migration : migrations.subList(found, latest())) {
            for (String statement : migration.statements(dialect)) {
                execute(connection, statement);
            }
            execute(connection, record(migration, dialect));
        }
    }

    private static String record(Migration migration, MigrationDialect dialect) {
        return "insert into " + dialect.versionTable() + " (version, name) values (" + migration.version() + ", '"
                + migration.name() + "')";
    }

    private static void inTransaction(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            work.run();
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
    }

    private static void rollBack(Connection connection, Exception reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private static int queryInt(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }
}
