package dev.dormouse.sqlite;

import dev.dormouse.store.Micros;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads rows of {@code dormouse_run}. */
final class RunRows {
    /** What a statement must select, in this order, for {@link #read}. */
    static final String COLUMNS = """
            shard, run_id, workflow_id, type, lane, status, lease, owner, wake_at, wake_reason, next_seq, checksum, \
            mail, consumed, takeovers, strikes, refused, trouble, created_at, closed_at""";

    static final int RUN_ID = 2;
    static final int WORKFLOW_ID = 3;
    static final int TYPE = 4;
    static final int STATUS = 6;

    private RunRows() {}

    static RunRow read(ResultSet row) throws SQLException {
        return new RunRow(
                row.getInt(1),
                Ids.toId(row.getBytes(RUN_ID)),
                row.getString(WORKFLOW_ID),
                row.getString(TYPE),
                row.getString(5),
                RunStatus.of(row.getInt(STATUS)),
                row.getLong(7),
                row.getString(8),
                Instants.orNull(row, 9),
                WakeReason.of(row.getInt(10)),
                row.getInt(11),
                row.getLong(12),
                row.getLong(13),
                row.getLong(14),
                row.getInt(15),
                row.getInt(16),
                row.getString(17),
                row.getString(18),
                Micros.toInstant(row.getLong(19)),
                Instants.orNull(row, 20));
    }
}
