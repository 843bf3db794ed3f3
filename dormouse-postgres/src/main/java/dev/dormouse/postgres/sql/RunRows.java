package dev.dormouse.postgres.sql;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.Micros;
import dev.dormouse.store.run.RunRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A reader for rows of table {@code run}. */
public final class RunRows {
    /** All columns of a RunRow, in the order of {@link #read}; <code>r</code> is the table's alias. */
    public static final String COLUMNS = """
            r.shard, r.run_id, r.workflow_id, r.type, r.lane, r.status, r.lease, r.owner, r.wake_at, r.wake_reason, \
            r.known_seq, r.checksum, r.mail, r.consumed, r.takeovers, r.strikes, r.refused, r.trouble, r.created_at, \
            r.closed_at\
            """;

    /** The number of columns in {@link #COLUMNS}. */
    public static final int NUMBER = 20;

    private RunRows() {}

    /** Reads a row whose columns begin after {@code skip} others. */
    public static RunRow read(ResultSet rows, int skip) throws SQLException {
        return new RunRow(
                rows.getInt(skip + 1),
                rows.getObject(skip + 2, UUID.class),
                rows.getString(skip + 3),
                rows.getString(skip + 4),
                rows.getString(skip + 5),
                RunStatus.of(rows.getInt(skip + 6)),
                rows.getLong(skip + 7),
                rows.getString(skip + 8),
                instantOrNull(rows, skip + 9),
                WakeReason.of(rows.getInt(skip + 10)),
                rows.getInt(skip + 11),
                rows.getLong(skip + 12),
                rows.getLong(skip + 13),
                rows.getLong(skip + 14),
                rows.getInt(skip + 15),
                rows.getInt(skip + 16),
                rows.getString(skip + 17),
                rows.getString(skip + 18),
                instant(rows, skip + 19),
                instantOrNull(rows, skip + 20));
    }

    public static List<RunRow> readAll(ResultSet rows) throws SQLException {
        List<RunRow> all = new ArrayList<>();
        while (rows.next()) {
            all.add(read(rows, 0));
        }
        return all;
    }

    public static Instant instant(ResultSet rows, int column) throws SQLException {
        return Micros.toInstant(rows.getLong(column));
    }

    public static @Nullable Instant instantOrNull(ResultSet rows, int column) throws SQLException {
        long micros = rows.getLong(column);
        return rows.wasNull() ? null : Micros.toInstant(micros);
    }
}
