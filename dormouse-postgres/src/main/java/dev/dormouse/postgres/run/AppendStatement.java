package dev.dormouse.postgres.run;

import dev.dormouse.postgres.sql.Epoch;
import dev.dormouse.postgres.sql.Params;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.postgres.sql.Schema;
import dev.dormouse.store.run.HistoryAppend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Inserts rows of history at their positions, and skips positions that are taken. It returns only how many it has
 * inserted: nearly always that is all of them, and a thousand ids would cost more than the insert.
 *
 * <p><b>Races.</b> If another transaction has just inserted the same position, the statement waits for its end: then the
 * position is taken or free. Rows are inserted in the order of their run ids, like the rows of commits, so that two
 * batches do not wait for each other.
 */
final class AppendStatement {
    private final String sql;

    AppendStatement(Schema schema, Epoch epoch) {
        this.sql = schema.sql("""
                with i as (
                  insert into ${schema}.history (shard, run_id, seq, events, at, checksum, payload)
                  select ?::int, b.run_id, b.seq, b.events, ${now}, b.checksum, b.payload
                  from unnest(?::uuid[], ?::int4[], ?::int4[], ?::int8[], ?::bytea[], ?::text[])
                    as b(run_id, seq, events, checksum, payload, epoch)
                  where coalesce(b.epoch, '') in ('', (select %s))
                  order by b.run_id
                  on conflict do nothing
                  returning 1)
                select count(*), ${now} from i
                """.formatted(epoch.expression()));
    }

    /** The number of rows that were inserted, and the store's clock. */
    record Result(int inserted, Instant at) {
        static final Result NOTHING = new Result(0, Instant.EPOCH);
    }

    Result run(Connection connection, int shard, List<HistoryAppend> batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuids(batch, HistoryAppend::runId)
                    .integers(batch, HistoryAppend::seq)
                    .integers(batch, entry -> entry.append().count())
                    .bigints(batch, entry -> entry.append().checksum())
                    .byteas(batch, entry -> entry.append().payload())
                    .texts(batch, HistoryAppend::epoch);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return new Result(rows.getInt(1), RunRows.instant(rows, 2));
            }
        }
    }
}
