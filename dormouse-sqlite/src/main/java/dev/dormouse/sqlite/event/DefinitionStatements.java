package dev.dormouse.sqlite.event;

import dev.dormouse.sqlite.sql.SqlSession;
import dev.dormouse.sqlite.sql.StatementCall;
import dev.dormouse.sqlite.sql.Tx;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements that store and read definitions: workflows that are data. */
public final class DefinitionStatements {
    static final String KEEP = """
            insert into dormouse_definition (shard, name, version, defined_at, body)
            values (?, ?, ?, ?, ?)
            on conflict do nothing""";

    static final String ONE = """
            select name, version, body, defined_at from dormouse_definition
            where shard = ? and name = ? and version = ?""";

    static final String HIGHEST = """
            select name, version, body, defined_at from dormouse_definition
            where shard = ? and name = ?
            order by version desc
            limit 1""";

    static final String SINCE = """
            select name, version, body, defined_at
            from dormouse_definition indexed by dormouse_definition_at
            where shard = ? and (defined_at, name, version) > (?, ?, ?)
            order by defined_at, name, version
            limit ?""";

    private DefinitionStatements() {}

    public static boolean keep(Tx tx, String name, int version, byte[] body) throws SQLException {
        return tx.call(KEEP)
                        .with(tx.shard())
                        .with(name)
                        .with(version)
                        .with(tx.now())
                        .with(body)
                        .update()
                > 0;
    }

    public static Optional<Definition> one(SqlSession session, int shard, String name, int version)
            throws SQLException {
        StatementCall call = version == 0
                ? session.call(HIGHEST).with(shard).with(name)
                : session.call(ONE).with(shard).with(name).with(version);
        return call.first(DefinitionStatements::read);
    }

    /**
     * Returns definitions after {@code after}, or since {@code since} if that is later. Versions start at 1, so version
     * 0 sorts before all of an instant.
     */
    public static List<Definition> since(
            SqlSession session, int shard, Instant since, @Nullable Definition after, int limit) throws SQLException {
        boolean goesOn = after != null && !after.definedAt().isBefore(since);
        Definition before = after != null && goesOn ? after : new Definition("", 0, new byte[0], since);
        return session.call(SINCE)
                .with(shard)
                .with(Micros.of(before.definedAt()))
                .with(before.name())
                .with(before.version())
                .with(limit)
                .all(DefinitionStatements::read);
    }

    private static Definition read(ResultSet row) throws SQLException {
        return new Definition(row.getString(1), row.getInt(2), row.getBytes(3), Micros.toInstant(row.getLong(4)));
    }
}
