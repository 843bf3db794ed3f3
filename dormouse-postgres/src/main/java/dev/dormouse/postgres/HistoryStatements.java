package dev.dormouse.postgres;

import dev.dormouse.store.HistoryRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads histories. */
final class HistoryStatements {
    private static final String SELECT =
            "select run_id, seq, events, at, checksum, payload from ${schema}.history where shard = ? ";

    private final String whole;
    private final String last;

    HistoryStatements(Schema schema) {
        this.whole = schema.sql(SELECT + "and run_id = any(?::uuid[]) order by run_id, seq");
        this.last = schema.sql(SELECT + "and run_id = ? order by seq desc limit 1");
    }

    List<HistoryRow> whole(Connection connection, int shard, List<UUID> runIds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(whole)) {
            new Params(statement).integer(shard).uuids(runIds);
            return read(statement);
        }
    }

    Optional<HistoryRow> last(Connection connection, int shard, UUID runId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(last)) {
            new Params(statement).integer(shard).uuid(runId);
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
