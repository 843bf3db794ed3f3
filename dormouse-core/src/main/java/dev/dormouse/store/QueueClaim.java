package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for runs of one queue that are due, by the rules of {@link Claim}: highest priority first, then oldest alarm
 * first, and no more than the queue's limits allow. Claims of one queue come one after the other, whoever makes them.
 *
 * @param lanes the lanes of the queue that this node knows; runs of the queue in other lanes count, but are left alone
 * @param limit how many more this node may execute
 * @param total how many runs of the queue may be leased at a time, on all nodes together; 0: any number. Leases that have
 *     ended do not count
 * @param rate how many may begin in a period: those that are claimed for their start or for a retry
 *     ({@link WakeReason#START}, {@link WakeReason#RETRY}); all others do not count. Null: any number
 * @param keyRate the same for each {@link Queued#key}. A run whose key has no room has its alarm moved to the instant
 *     that is reserved for it, with the reason {@link WakeReason#RATE}; from then on it counts for neither rate
 * @param takeOverBefore see {@link Claim}
 */
public record QueueClaim(
        String queue,
        List<String> lanes,
        int limit,
        int total,
        @Nullable Rate rate,
        @Nullable Rate keyRate,
        long lease,
        Duration leasePeriod,
        String owner,
        String build,
        Duration patience,
        Instant takeOverBefore) {

    /**
     * So many in a period, evenly spread: one in each {@code period / number}, and as many as fall into a fiftieth of a
     * period at once, but at least one.
     */
    public record Rate(int number, Duration period) {}
}
