package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.HistoryRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements that read the histories of several runs, or one row of one history. */
public final class HistoryStatements {
    private final String whole;
    private final String one;

    public HistoryStatements(Schema schema) {
        this.whole = schema.sql("""
                select h.*
                from (select ?::int as shard, run_id from unnest(?::uuid[]) run_id) b
                  cross join lateral (
                    select h.run_id, h.seq, h.events, h.at, h.checksum, h.payload
                    from ${schema}.history h
                    where h.shard = b.shard and h.run_id = b.run_id
                    order by h.seq
                    offset 0) h
                """);
        this.one = schema.sql("""
                select run_id, seq, events, at, checksum, payload
                from ${schema}.history
                where shard = ? and run_id = ? and seq = ?
                """);
    }

    public List<HistoryRow> run(Connection connection, int shard, List<UUID> runIds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(whole)) {
            new Params(statement).integer(shard).uuids(runIds);
            return read(statement);
        }
    }

    public Optional<HistoryRow> run(Connection connection, int shard, UUID runId, int seq) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(one)) {
            new Params(statement).integer(shard).uuid(runId).integer(seq);
            return read(statement).stream().findFirst();
        }
    }

    private static List<HistoryRow> read(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<HistoryRow> all = new ArrayList<>();
            while (rows.next()) {
                all.add(new HistoryRow(
                        rows.getObject(1, UUID.class),
                        rows.getInt(2),
                        rows.getInt(3),
                        RunRows.instant(rows, 4),
                        rows.getLong(5),
                        rows.getBytes(6)));
            }
            return all;
        }
    }
}
