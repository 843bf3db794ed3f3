package dev.dormouse.postgres.claim;

import dev.dormouse.store.base.Micros;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The starts of the scans of a queue's indexes. Below a floor an index contains only entries of deleted or changed
 * rows. There can be many of them while another session holds an old snapshot.
 *
 * <p>A floor is only a hint: no statement writes an instant that has passed, but a written instant may become visible
 * late, and the server's clock may be set back. Therefore scans start a margin below the last finding, and each claim
 * names the instant from which it must see everything ({@link dev.dormouse.store.queue.QueueClaim#floor}). Thread-safe:
 * if two threads write a floor at once, either value is valid.
 */
final class QueueFloors {
    private static final Duration OF_ALARMS = Duration.ofSeconds(1);

    /**
     * The margin for leases: longer than any statement that moves the end of a lease may take. A lease that a scan
     * overlooks would exceed the limit of the queue.
     */
    private static final Duration OF_LEASES = Duration.ofSeconds(30);

    private final Map<Object, Long> floors = new ConcurrentHashMap<>();

    /** The due runs of one lane and priority: runs that start, or all others. */
    record Alarms(int shard, String queue, String lane, int priority, boolean begins) {}

    record Leases(int shard, String queue) {}

    record Rates(int shard, String queue) {}

    /** Returns the instant at which a scan starts, for a claim that must see everything from {@code seen} on. */
    long of(Object range, Instant seen, Instant now) {
        long floor = Math.min(floors.getOrDefault(range, 0L), Micros.of(seen));
        return floor > Micros.of(now) ? 0 : floor;
    }

    /** Records that no due run is left below {@code oldest}. */
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
