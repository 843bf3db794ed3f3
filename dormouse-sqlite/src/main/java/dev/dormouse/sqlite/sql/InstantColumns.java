package dev.dormouse.sqlite.sql;

import dev.dormouse.store.base.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Instants as microseconds, in addition to {@link Micros}. */
public final class InstantColumns {
    private InstantColumns() {}

    /**
     * Rounds down, for instants that must have been reached. Instants beyond {@link Micros#MAX} become {@link
     * Long#MAX_VALUE}.
     */
    public static long floor(Instant instant) {
        if (instant.isAfter(Micros.MAX)) {
            return Long.MAX_VALUE;
        }
        return Math.multiplyExact(instant.getEpochSecond(), 1_000_000L) + instant.getNano() / 1_000;
    }

    /** Returns {@code now - age}. An age beyond all instants gives an instant before the first row. */
    public static long before(long now, Duration age) {
        return now - Math.max(0, Micros.of(age));
    }

    public static @Nullable Instant orNull(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.toInstant(micros);
    }
}
