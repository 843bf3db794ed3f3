package dev.dormouse.store.queue;

import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Queued;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for due runs of one queue, by the rules of {@link Claim}: highest priority first, then oldest alarm first,
 * and no more than the queue's limits allow. The store serializes the claims of one queue across all nodes, in each shard.
 *
 * <p>A lease counts against {@code total} until it is released, even after its end, because its holder may still renew
 * it. If a claim needs the room of a lease that ended at {@code takeOverBefore} or before, the store revokes that
 * lease, even in lanes that the claim does not name. Such a run becomes PENDING, keeps its alarm and reason, and counts
 * a takeover. So there are never more leases than {@code total}, however late a renewal arrives, and no lease is
 * revoked whose room is not needed.
 *
 * @param lanes the lanes of the queue that this node serves; runs of the queue in other lanes count but are not claimed
 * @param limit the maximum number of runs to claim
 * @param total the maximum number of leased runs of the queue in each shard, on all nodes together; 0 for no limit
 * @param rate the maximum number of runs that begin in a period; null for no limit. Only runs that are claimed for
 *     their start or for a retry count ({@link WakeReason#START}, {@link WakeReason#RETRY})
 * @param keyRate the rate for each {@link Queued#key}; null for no limit. If it does not let a run begin now, the store
 *     reserves the next free instant for the run and moves its alarm there, with the reason {@link WakeReason#RATE}. At
 *     that instant neither rate delays the run again. Its claim still counts against {@code rate}, which may delay
 *     other runs
 * @param takeOverBefore see {@link Claim}
 * @param floor how far down the scan of the alarms must reach; {@link Instant#EPOCH} for a complete scan. A store need
 *     not rescan what earlier claims have scanned, unless it is at this instant or later
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
        Instant takeOverBefore,
        Instant floor) {

    /**
     * Creates a claim with a complete scan: {@code floor} is {@link Instant#EPOCH}.
     *
     * @param rate the maximum number of runs that begin in a period; null for no limit
     * @param keyRate the rate for each {@link Queued#key}; null for no limit
     */
    public QueueClaim(
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
        this(
                queue,
                lanes,
                limit,
                total,
                rate,
                keyRate,
                lease,
                leasePeriod,
                owner,
                build,
                patience,
                takeOverBefore,
                Instant.EPOCH);
    }

    /**
     * A rate of {@code number} starts in a {@code period}, evenly spread: one in each {@code period / number}. The
     * burst is the number of starts that fall into a fiftieth of a period, but at least one. So no period has more than
     * a fiftieth too many.
     */
    public record Rate(int number, Duration period) {
        public Rate {
            if (number < 1 || period.isNegative() || period.isZero()) {
                throw new IllegalArgumentException(
                        "Expected a rate of at least one in a period, but got " + number + " in " + period + ".");
            }
        }
    }
}
