package dev.dormouse.sqlite;

import dev.dormouse.store.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Instants in microseconds, beside what {@link Micros} does. */
final class Instants {
    private Instants() {}

    /** Rounded down, for what must have been reached; as far as can be where it is farther than that. */
    static long floor(Instant instant) {
        if (instant.isAfter(Micros.MAX)) {
            return Long.MAX_VALUE;
        }
        return Math.multiplyExact(instant.getEpochSecond(), 1_000_000L) + instant.getNano() / 1_000;
    }

    /** So long before now; a length that reaches back beyond all time gives an instant at which there was nothing. */
    static long before(long now, Duration age) {
        return now - Math.max(0, Micros.of(age));
    }

    static @Nullable Instant orNull(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.toInstant(micros);
    }
}
