package dev.dormouse.postgres;

import dev.dormouse.store.Micros;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the scans of a queue's indexes begin. Below lie only entries of what has come and gone, which a snapshot that
 * somebody holds elsewhere keeps there in any number.
 *
 * <p>A hint that this process has made for itself, and no knowledge: nobody writes an instant that has passed, but what was
 * written may become visible late, and the server's clock may be set back. So scans begin a margin below what was found,
 * and each claim says how far down it wants to see ({@link dev.dormouse.store.QueueClaim#floor}). Safe for use by many
 * threads: of two that write at once either is right.
 */
final class QueueFloors {
    private static final Duration OF_ALARMS = Duration.ofSeconds(1);

    /** Longer than any statement that moves the end of a lease may take: a lease that is overlooked is one too many. */
    private static final Duration OF_LEASES = Duration.ofSeconds(30);

    private final Map<Object, Long> floors = new ConcurrentHashMap<>();

    /** The due runs of one lane and priority: those that begin, or all others. */
    record Alarms(int shard, String queue, String lane, int priority, boolean begins) {}

    record Leases(int shard, String queue) {}

    record Rates(int shard, String queue) {}

    /** Where to begin, for a claim that wants to see everything from an instant on. */
    long of(Object range, Instant seen, Instant now) {
        long floor = Math.min(floors.getOrDefault(range, 0L), Micros.of(seen));
        return floor > Micros.of(now) ? 0 : floor;
    }

    /** Nothing is left below this instant. */
    void alarms(Alarms range, long oldest, Instant now) {
        floors.put(range, Math.min(oldest, Micros.of(now.minus(OF_ALARMS))));
    }

    void leases(Leases range, long oldest, Instant now) {
        floors.put(range, Math.min(oldest, Micros.of(now.minus(OF_LEASES))));
    }

    void rates(Rates range, long oldest) {
        floors.put(range, oldest);
    }
}
