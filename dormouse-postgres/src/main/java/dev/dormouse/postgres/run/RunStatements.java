package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.RunRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Statements that read runs by their ids. Several runs are looked up one by one, as in {@link CommitStatement}: older
 * versions of PostgreSQL use {@code run_id = any(…)} as a filter over the whole index if they plan while the table is
 * small.
 */
public final class RunStatements {
    private final String byRunIds;
    private final String current;
    private final String now;

    public RunStatements(Schema schema) {
        this.byRunIds = schema.sql("""
                select %s
                from (select ?::int as shard, run_id from unnest(?::uuid[]) run_id) b
                  cross join lateral (
                    select * from ${schema}.run r where r.shard = b.shard and r.run_id = b.run_id offset 0) r
                """.formatted(RunRows.COLUMNS));
        this.current = schema.sql("select " + RunRows.COLUMNS
                + " from ${schema}.run r where r.shard = ? and r.workflow_id = ? and r.current");
        this.now = schema.sql("select ${now}");
    }

    public List<RunRow> byRunIds(Connection connection, int shard, List<UUID> runIds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(byRunIds)) {
            new Params(statement).integer(shard).uuids(runIds);
            try (ResultSet rows = statement.executeQuery()) {
                return RunRows.readAll(rows);
            }
        }
    }

    public Instant now(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(now);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return Micros.toInstant(rows.getLong(1));
        }
    }

    public Optional<RunRow> current(Connection connection, int shard, String workflowId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(current)) {
            new Params(statement).integer(shard).text(workflowId);
            try (ResultSet rows = statement.executeQuery()) {
                return RunRows.readAll(rows).stream().findFirst();
            }
        }
    }
}
