package dev.dormouse.postgres.sql;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The set-up of the schema: brings it up to date, or checks that it is. The engine's role needs only the rights of the
 * schema's owner. A missing schema is created if the role may do that.
 */
public final class SchemaSetup {
    /** A node that was not seen for this long is not running: three sweeps, by default. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final Schema schema;

    public SchemaSetup(Schema schema) {
        this.schema = schema;
    }

    public void run(Connection connection, boolean migrate) throws SQLException {
        try {
            if (migrate && !exists(connection)) {
                create(connection);
            }
            schema.migrations().apply(connection, schema.dialect(), migrate, found -> checkUnused(connection, found));
        } catch (SQLException e) {
            if (SqlErrors.state(e).equals(SqlErrors.INSUFFICIENT_PRIVILEGE)) {
                throw notPermitted(connection, e);
            }
            throw e;
        }
    }

    /**
     * Throws if nodes of an earlier version are running, and the schema changes in a way that they do not know. Nodes that
     * start later refuse the schema, and statements of a node that was suspended meanwhile fail.
     */
    private void checkUnused(Connection connection, int found) throws SQLException {
        if (found == 0 || found >= Schema.APPENDS) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(schema.sql("""
                        select node_id, (${now} - seen_at) / 1000000
                        from ${schema}.node
                        where seen_at > ${now} - %d
                        order by node_id
                        limit 1
                        """.formatted(Micros.of(SILENCE))))) {
            if (rows.next()) {
                throw new DormouseException(
                        ErrorCode.SCHEMA_IN_USE,
                        "Expected no running nodes of an earlier version, because the tables are upgraded from version "
                                + found + " to " + schema.migrations().latest()
                                + " in a way that they do not know, but node " + rows.getString(1) + " was seen "
                                + rows.getLong(2)
                                + " s ago. Stop these nodes, then start this one again. After a crash of "
                                + "a node, wait " + SILENCE.toSeconds() + " s.");
            }
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
