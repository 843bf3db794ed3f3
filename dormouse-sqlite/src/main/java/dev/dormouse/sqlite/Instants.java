package dev.dormouse.sqlite;

import dev.dormouse.store.Micros;
import java.time.Instant;

/** Instants in microseconds where {@link Micros} would round the wrong way. */
final class Instants {
    private Instants() {}

    /** Rounded down, for what must have been reached; as far as can be where it is farther than that. */
    static long floor(Instant instant) {
        if (instant.isAfter(Micros.MAX)) {
            return Long.MAX_VALUE;
        }
        return Math.multiplyExact(instant.getEpochSecond(), 1_000_000L) + instant.getNano() / 1_000;
    }
}
