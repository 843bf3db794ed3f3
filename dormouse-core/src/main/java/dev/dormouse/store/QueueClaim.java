package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for runs of one queue that are due, by the rules of {@link Claim}: highest priority first, then oldest alarm
 * first, and no more than the queue's limits allow. Claims of one queue come one after the other, whoever makes them.
 *
 * <p>A lease counts against {@code total} until it is given up, also after its end: its holder may still renew it. Where a
 * claim needs the room of one that ended at {@code takeOverBefore} or before, it takes that lease away, also in lanes that
 * it does not name: such a run becomes PENDING, keeps its alarm and reason, and counts a takeover. So there are never more
 * leases than {@code total}, however late a renewal comes, and none is taken away whose room nobody needs.
 *
 * @param lanes the lanes of the queue that this node knows; runs of the queue in other lanes count, but are left alone
 * @param limit how many more this node may execute
 * @param total how many runs of the queue may be leased at a time, on all nodes together; 0: any number
 * @param rate how many may begin in a period: those that are claimed for their start or for a retry
 *     ({@link WakeReason#START}, {@link WakeReason#RETRY}); all others do not count. Null: any number
 * @param keyRate the same for each {@link Queued#key}. A run whose key has no room has its alarm moved to the instant
 *     that is reserved for it, with the reason {@link WakeReason#RATE}. From then on neither rate holds it up; when it is
 *     claimed it uses up room of {@code rate} all the same, so that others wait for it
 * @param takeOverBefore see {@link Claim}
 * @param floor how far down the scan of the alarms must reach. A store need not look again at what earlier claims have
 *     been through, unless it is at this instant or later; {@link Instant#EPOCH} for a scan of everything
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

    /** With a scan of everything. */
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
     * So many in a period, evenly spread: one in each {@code period / number}, and as many as fall into a fiftieth of a
     * period at once, but at least one. So no period has more than a fiftieth too many.
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
