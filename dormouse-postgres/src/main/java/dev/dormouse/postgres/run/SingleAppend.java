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

/** The append of one history row, as {@link AppendStatement} would do it. Its plan takes less time to set up. */
final class SingleAppend {
    private final String sql;

    SingleAppend(Schema schema, Epoch epoch) {
        this.sql = schema.sql("""
                insert into ${schema}.history (shard, run_id, seq, events, at, checksum, payload)
                select ?::int4, ?::uuid, ?::int4, ?::int4, ${now}, ?::int8, ?::bytea
                where ?::text = '' or ?::text = (select %s)
                on conflict do nothing
                returning at
                """.formatted(epoch.expression()));
    }

    AppendStatement.Result run(Connection connection, int shard, HistoryAppend entry) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new Params(statement)
                    .integer(shard)
                    .uuid(entry.runId())
                    .integer(entry.seq())
                    .integer(entry.append().count())
                    .bigint(entry.append().checksum())
                    .bytea(entry.append().payload())
                    .text(entry.epoch())
                    .text(entry.epoch());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? new AppendStatement.Result(1, RunRows.instant(rows, 1))
                        : AppendStatement.Result.NOTHING;
            }
        }
    }
}
