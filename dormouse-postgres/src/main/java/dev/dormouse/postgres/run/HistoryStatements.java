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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements that read the histories of several runs, or one row of one history. */
public final class HistoryStatements {
    /** The position of a row whose payload is the run's inline history. */
    private static final int INLINE = -1;

    private final String whole;
    private final String one;
    private final String length;

    public HistoryStatements(Schema schema) {
        this.whole = schema.sql("""
                select h.*
                from (select ?::int as shard, run_id from unnest(?::uuid[]) run_id) b
                  cross join lateral (
                    (select r.run_id, %1$d as seq, 0 as events, 0::int8 as at, 0::int8 as checksum,
                      r.inline_history as payload
                    from ${schema}.run r
                    where r.shard = b.shard and r.run_id = b.run_id and r.inline_history is not null
                    offset 0)
                    union all
                    (select h.run_id, h.seq, h.events, h.at, h.checksum, h.payload
                    from ${schema}.history h
                    where h.shard = b.shard and h.run_id = b.run_id
                    order by h.seq
                    offset 0)) h
                """.formatted(INLINE));
        this.one = schema.sql("""
                select run_id, %1$d, 0, 0::int8, 0::int8, inline_history
                from ${schema}.run
                where shard = ? and run_id = ? and inline_history is not null
                union all
                select run_id, seq, events, at, checksum, payload
                from ${schema}.history
                where shard = ? and run_id = ? and seq = ?
                """.formatted(INLINE));
        this.length = schema.sql("""
                select greatest(r.known_seq, (
                  select h.seq + h.events from ${schema}.history h
                  where h.shard = r.shard and h.run_id = r.run_id
                  order by h.seq desc
                  limit 1))
                from ${schema}.run r
                where r.shard = ? and r.run_id = ?
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
            new Params(statement)
                    .integer(shard)
                    .uuid(runId)
                    .integer(shard)
                    .uuid(runId)
                    .integer(seq);
            return read(statement).stream().filter(row -> row.seq() == seq).findFirst();
        }
    }

    /** Returns the number of events in a history. */
    public int length(Connection connection, int shard, UUID runId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(length)) {
            new Params(statement).integer(shard).uuid(runId);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }

    /** Reads rows of history. Those that are kept in the run's own row are put in their places among the others. */
    private static List<HistoryRow> read(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<HistoryRow> all = new ArrayList<>();
            List<HistoryRow> ofRun = new ArrayList<>();
            while (rows.next()) {
                UUID runId = rows.getObject(1, UUID.class);
                if (!ofRun.isEmpty() && !ofRun.get(0).runId().equals(runId)) {
                    addInOrder(ofRun, all);
                }
                if (rows.getInt(2) == INLINE) {
                    ofRun.addAll(InlineHistory.rows(runId, rows.getBytes(6)));
                } else {
                    ofRun.add(new HistoryRow(
                            runId,
                            rows.getInt(2),
                            rows.getInt(3),
                            RunRows.instant(rows, 4),
                            rows.getLong(5),
                            rows.getBytes(6)));
                }
            }
            addInOrder(ofRun, all);
            return all;
        }
    }

    private static void addInOrder(List<HistoryRow> ofRun, List<HistoryRow> all) {
        ofRun.sort(Comparator.comparingInt(HistoryRow::seq));
        all.addAll(ofRun);
        ofRun.clear();
    }
}
