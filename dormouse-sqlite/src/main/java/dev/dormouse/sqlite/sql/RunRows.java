package dev.dormouse.sqlite.sql;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A reader for rows of {@code dormouse_run}. */
public final class RunRows {
    /** The columns that a statement must select for {@link #read}, in this order. */
    public static final String COLUMNS = """
            shard, run_id, workflow_id, type, lane, status, lease, owner, wake_at, wake_reason, known_seq, checksum, \
            mail, consumed, takeovers, strikes, refused, trouble, created_at, closed_at""";

    public static final int RUN_ID = 2;
    public static final int WORKFLOW_ID = 3;
    public static final int TYPE = 4;
    public static final int STATUS = 6;

    private RunRows() {}

    public static RunRow read(ResultSet row) throws SQLException {
        return new RunRow(
                row.getInt(1),
                UuidBytes.toId(row.getBytes(RUN_ID)),
                row.getString(WORKFLOW_ID),
                row.getString(TYPE),
                row.getString(5),
                RunStatus.of(row.getInt(STATUS)),
                row.getLong(7),
                row.getString(8),
                InstantColumns.orNull(row, 9),
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
                InstantColumns.orNull(row, 20));
    }
}
