package dev.dormouse.internal.engine.time;

import dev.dormouse.store.base.Micros;
import java.time.Duration;
import java.time.Instant;

/**
 * The instant at which a scan of the alarms starts. Earlier scans have handled the alarms below it, and a shared
 * database still has dead index entries for them, which need not be read again. The floor lies a margin below an alarm,
 * because a transaction commits some time after it has set its alarm.
 *
 * <p>Not thread-safe. Best effort: an alarm that becomes visible below the floor is found by the next complete scan.
 */
public final class ScanFloor {
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private Instant floor = Instant.EPOCH;

    public Instant get() {
        return floor;
    }

    /** Makes the next scan complete. */
    public void remove() {
        floor = Instant.EPOCH;
    }

    /** Records that all alarms have been handled. */
    public void raiseToEnd() {
        floor = Micros.MAX;
    }

    /** Records that all alarms up to {@code scanned} have been handled. */
    public void moveTo(Instant scanned) {
        floor = scanned.minus(MARGIN);
    }

    /** Makes sure that the next scan finds {@code alarm}. */
    public void lowerTo(Instant alarm) {
        Instant below = alarm.minus(MARGIN);
        floor = below.isBefore(floor) ? below : floor;
    }
}
