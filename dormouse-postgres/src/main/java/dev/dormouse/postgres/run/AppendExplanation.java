package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.HistoryAppend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Finds out what became of the appends of a batch of which some were not inserted: their events are at their positions,
 * now or since an earlier attempt; other events are; or nothing is.
 */
final class AppendExplanation {
    private final String sql;

    AppendExplanation(Schema schema, Epoch epoch) {
        this.sql = schema.sql("""
                with b as materialized (
                  select ?::int as shard, b.*
                  from unnest(?::uuid[], ?::int4[], ?::int8[], ?::bytea[], ?::text[])
                    with ordinality as b(run_id, seq, checksum, payload, epoch, place))
                select b.place, coalesce(b.epoch, '') in ('', (select %s)), h.at,
                  h.checksum = b.checksum and h.payload = b.payload
                from b
                  left join lateral (
                    select * from ${schema}.history h
                    where h.shard = b.shard and h.run_id = b.run_id and h.seq = b.seq
                    offset 0) h on true
                """.formatted(epoch.expression()));
    }

    /** Returns an outcome for each append, in their order. */
    List<CommitOutcome> run(Connection connection, int shard, List<HistoryAppend> batch) throws SQLException {
        List<CommitOutcome> outcomes = new ArrayList<>(Collections.nCopies(batch.size(), new CommitOutcome.Locked()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuids(batch, HistoryAppend::runId)
                    .integers(batch, HistoryAppend::seq)
                    .bigints(batch, entry -> entry.append().checksum())
                    .byteas(batch, entry -> entry.append().payload())
                    .texts(batch, HistoryAppend::epoch);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    outcomes.set(rows.getInt(1) - 1, outcome(rows));
                }
            }
        }
        return outcomes;
    }

    private static CommitOutcome outcome(ResultSet rows) throws SQLException {
        if (!rows.getBoolean(2)) {
            return new CommitOutcome.Fenced();
        }
        boolean isOwn = rows.getBoolean(4);
        if (rows.wasNull()) {
            return new CommitOutcome.Locked(); // the transaction that had the position was rolled back
        }
        return isOwn ? Appends.appended(RunRows.instant(rows, 3)) : new CommitOutcome.Fenced();
    }
}
