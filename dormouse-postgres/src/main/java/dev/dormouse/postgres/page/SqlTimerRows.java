package dev.dormouse.postgres.page;

import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.postgres.sql.RunRows;
import dev.dormouse.store.base.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A reader for rows of {@code timers.timers}, whose instants are PostgreSQL timestamps. */
final class SqlTimerRows {
    /** Later timers are shown as never firing, so that instants fit into the microseconds of a long. */
    static final String END = "timestamptz '290000-01-01 00:00:00+00'";

    /** Orders timers of one instant: the UUID made of shard key and id. */
    static final String TIE = "(lpad(to_hex(t.shard_key), 16, '0') || lpad(to_hex(t.id), 16, '0'))::uuid";

    /** The year 4713 BC: before all instants of a PostgreSQL timestamp. */
    static final long FIRST = -210_863_520_000_000_000L;

    static final String COLUMNS = "t.shard_key, t.id, t.status, "
            + micros("case when coalesce(t.retry_at, t.fire_at) < " + END + " then coalesce(t.retry_at, t.fire_at) end")
            + ", t.scheduled_by, t.action, t.handler, t.payload::text, " + micros("t.created_at") + ", "
            + micros("t.fired_at") + ", t.timeout_ms, t.attempts, t.error, t.sqlstate";

    private SqlTimerRows() {}

    static String micros(String instant) {
        return "(extract(epoch from " + instant + ") * 1000000)::int8";
    }

    /**
     * Returns an SQL expression for an instant. Adds it in two parts, because intervals are multiplied as
     * floating-point numbers, which are exact for each part.
     */
    static String instant(String micros) {
        return "(timestamptz 'epoch' + " + micros + " / 86400000000 * interval '24 hours' + " + micros
                + " % 86400000000 * interval '1 microsecond')";
    }

    /**
     * Returns the start in microseconds. {@link Instant#EPOCH} means the beginning, and includes timers before 1970.
     */
    static long since(Instant instant) {
        return instant.equals(Instant.EPOCH) ? FIRST : Micros.of(instant);
    }

    static SqlTimer read(ResultSet rows, int behind) throws SQLException {
        return new SqlTimer(
                new SqlTimerId(rows.getLong(behind + 1), rows.getLong(behind + 2)),
                SqlTimer.Status.values()[rows.getInt(behind + 3)],
                instantAt(rows, behind + 4),
                rows.getString(behind + 5),
                Optional.ofNullable(rows.getString(behind + 6)),
                Optional.ofNullable(rows.getString(behind + 7)),
                Optional.ofNullable(rows.getString(behind + 8)),
                instantAt(rows, behind + 9).orElseThrow(),
                instantAt(rows, behind + 10),
                Duration.ofMillis(rows.getInt(behind + 11)),
                rows.getInt(behind + 12),
                Optional.ofNullable(rows.getString(behind + 13)),
                Optional.ofNullable(rows.getString(behind + 14)));
    }

    private static Optional<Instant> instantAt(ResultSet rows, int column) throws SQLException {
        return Optional.ofNullable(RunRows.instantOrNull(rows, column));
    }
}
