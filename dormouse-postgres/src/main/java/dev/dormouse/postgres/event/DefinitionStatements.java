package dev.dormouse.postgres.event;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements that store and read definitions: workflows that are data. */
public final class DefinitionStatements {
    private final String define;
    private final String one;
    private final String highest;
    private final String since;

    public DefinitionStatements(Schema schema) {
        this.define = schema.sql("""
                insert into ${schema}.definition (shard, name, version, body, defined_at)
                values (?, ?, ?, ?, ${now})
                on conflict (shard, name, version) do nothing
                """);
        this.one = schema.sql("""
                select name, version, body, defined_at
                from ${schema}.definition
                where shard = ? and name = ? and version = ?
                """);
        this.highest = schema.sql("""
                select name, version, body, defined_at
                from ${schema}.definition
                where shard = ? and name = ?
                order by version desc
                limit 1
                """);
        this.since = schema.sql("""
                select name, version, body, defined_at
                from ${schema}.definition
                where shard = ? and defined_at > 0 and (defined_at, name, version) > (?::int8, ?::text, ?::int4)
                order by defined_at, name, version
                limit ?
                """);
    }

    public boolean define(Connection connection, int shard, String name, int version, byte[] body) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(define)) {
            new Params(statement).integer(shard).text(name).integer(version).bytea(body);
            return statement.executeUpdate() > 0;
        }
    }

    public Optional<Definition> one(Connection connection, int shard, String name, int version) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(version == 0 ? highest : one)) {
            Params params = new Params(statement).integer(shard).text(name);
            if (version != 0) {
                params.integer(version);
            }
            return readAll(statement).stream().findFirst();
        }
    }

    /**
     * Returns definitions after {@code after}, or since {@code since} if that is later. Versions start at 1, so version
     * 0 sorts before all of an instant.
     */
    public List<Definition> since(
            Connection connection, int shard, Instant since, @Nullable Definition after, int limit)
            throws SQLException {
        boolean goesOn = after != null && !after.definedAt().isBefore(since);
        Definition before = after != null && goesOn ? after : new Definition("", 0, new byte[0], since);
        try (PreparedStatement statement = connection.prepareStatement(this.since)) {
            new Params(statement)
                    .integer(shard)
                    .bigint(Micros.of(before.definedAt()))
                    .text(before.name())
                    .integer(before.version())
                    .integer(limit);
            return readAll(statement);
        }
    }

    private static List<Definition> readAll(PreparedStatement statement) throws SQLException {
        List<Definition> all = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                all.add(new Definition(rows.getString(1), rows.getInt(2), rows.getBytes(3), RunRows.instant(rows, 4)));
            }
        }
        return all;
    }
}
