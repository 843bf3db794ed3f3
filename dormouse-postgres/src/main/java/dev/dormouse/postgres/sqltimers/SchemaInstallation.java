package dev.dormouse.postgres.sqltimers;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** The installation of schema {@code timers}: brings it up to date, or checks that it is. */
final class SchemaInstallation {
    private static final int VERSION = 2;
    private static final String FILE = "timers.sql";

    private SchemaInstallation() {}

    /** Returns all SQL of the schema, to be read or run with psql. */
    static String script() {
        try (InputStream file = Objects.requireNonNull(SchemaInstallation.class.getResourceAsStream(FILE))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void ensure(Connection connection, boolean install) throws SQLException {
        checkOwner(connection);
        int found = version(connection);
        if (found > VERSION) {
            throw new DormouseException(
                    ErrorCode.SCHEMA_TOO_NEW,
                    "Expected schema timers in version " + VERSION + ", but it is in version " + found
                            + ". Use a newer version of Dormouse.");
        } else if (found < VERSION && !install) {
            throw new DormouseException(
                    ErrorCode.SCHEMA_MISSING,
                    "Expected schema timers in version " + VERSION + ", but it is "
                            + (found == 0 ? "missing" : "in version " + found)
                            + ". Run the file timers.sql as the role that nodes log in as, or let the node install it.");
        } else if (found < VERSION) {
            run(connection);
        }
    }

    private static int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!isTrue(statement, """
                    select exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                      where n.nspname = 'timers' and p.proname = '_version')
                    """)) {
                return 0;
            }
            try (ResultSet row = statement.executeQuery("select timers._version()")) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void run(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(script());
        } catch (SQLException e) {
            rollback(connection);
            if ("42501".equals(e.getSQLState())) {
                throw notPermitted(connection, e);
            }
            throw e;
        }
    }

    private static void rollback(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback");
        }
    }

    private static DormouseException notPermitted(Connection connection, SQLException e) throws SQLException {
        String role = connection.getMetaData().getUserName();
        return new DormouseException(
                ErrorCode.SCHEMA_MISSING,
                "Expected a schema timers that role " + role
                        + " owns, but it is missing or belongs to another role, and the "
                        + "role may not create it (" + e.getMessage()
                        + "). Let an admin run: create schema timers authorization \""
                        + role.replace("\"", "\"\"") + "\"",
                e);
    }

    /**
     * Throws if the role does not own the schema: the node's statements are for its owner. A superuser must not call
     * functions that an ordinary role may have written.
     */
    private static void checkOwner(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (isTrue(statement, """
                    select not pg_catalog.pg_has_role(n.nspowner, 'usage')
                      or pg_catalog.current_setting('is_superuser') operator(pg_catalog.=) 'on' and not r.rolsuper
                    from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner
                    where n.nspname operator(pg_catalog.=) 'timers'
                    """)) {
                throw new DormouseException(
                        ErrorCode.SCHEMA_MISSING,
                        "Expected schema timers to belong to the role that the node logs in as, but it does not belong to "
                                + connection.getMetaData().getUserName() + ". Log in as its owner.");
            }
        }
    }

    private static boolean isTrue(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            return row.next() && row.getBoolean(1);
        }
    }
}
