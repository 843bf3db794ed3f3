package dev.dormouse.postgres.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;

/**
 * The set-up of the schema: brings it up to date, or checks that it is. The engine's role needs only the rights of the
 * schema's owner. A missing schema is created if the role may do that.
 */
public final class SchemaSetup {
    private final Schema schema;

    public SchemaSetup(Schema schema) {
        this.schema = schema;
    }

    public void run(Connection connection, boolean migrate) throws SQLException {
        try {
            if (migrate && !exists(connection)) {
                create(connection);
            }
            schema.migrations().apply(connection, schema.dialect(), migrate);
        } catch (SQLException e) {
            if (SqlErrors.state(e).equals(SqlErrors.INSUFFICIENT_PRIVILEGE)) {
                throw notPermitted(connection, e);
            }
            throw e;
        }
    }

    /** Returns the number of shards of this database. The first node decides. */
    public int shards(Connection connection, int wanted) throws SQLException {
        OptionalInt stored = storedShards(connection);
        if (stored.isPresent()) {
            return stored.getAsInt();
        }
        try (PreparedStatement statement = connection.prepareStatement(
                schema.sql("insert into ${schema}.meta (key, value) values ('shards', ?) on conflict do nothing"))) {
            statement.setString(1, Integer.toString(wanted));
            statement.executeUpdate();
        }
        return storedShards(connection).orElseThrow();
    }

    private OptionalInt storedShards(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        schema.sql("select value::int from ${schema}.meta where key = 'shards'"))) {
            return rows.next() ? OptionalInt.of(rows.getInt(1)) : OptionalInt.empty();
        }
    }

    private boolean exists(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select 1 from pg_catalog.pg_namespace where nspname = ?")) {
            statement.setString(1, schema.name());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** Creates the schema. If another node creates it at the same time, the error is ignored. */
    private void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema.quoted());
        } catch (SQLException e) {
            if (!exists(connection)) {
                throw e;
            }
        }
    }

    private DormouseException notPermitted(Connection connection, SQLException e) throws SQLException {
        String role = connection.getMetaData().getUserName();
        return new DormouseException(
                ErrorCode.SCHEMA_MISSING,
                "Expected a schema " + schema.quoted() + " that role " + role
                        + " owns, but it is missing or belongs to "
                        + "another role, and the role may not create it (" + e.getMessage()
                        + "). Let an admin "
                        + "run: create schema " + schema.quoted() + " authorization \"" + role.replace("\"", "\"\"")
                        + "\"",
                e);
    }
}
