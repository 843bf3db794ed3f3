package dev.dormouse.store.page;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Read-only queries for dashboards and the command line, and the counters that nodes report for them. Every call scans
 * a bounded number of rows, along an index, however many rows exist. If that is not enough to count, it estimates and
 * says so. No run is ever changed.
 *
 * <p>An alarm counts as due here if a user has set it, see {@link WakeReason#isSet()}: a lease or mail does not count.
 * At most {@link #MOST_LANES} lanes of a shard are scanned, the first by name.
 *
 * <p>Every method throws {@link StoreException} if the database cannot be reached or fails.
 */
public interface PageStore {
    /** The largest number of lanes of a shard that one query scans. */
    int MOST_LANES = 1_000;

    /**
     * Returns the runs that have a due alarm, ordered by alarm and run id. They include runs that wait in a node's
     * memory. If a lane has more than some thousand alarms at the same instant, some of them may be left out.
     *
     * @param after {@link DuePage#next} of the previous page; null for the first page
     */
    DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit);

    /**
     * Counts the runs that have a due alarm. Few alarms are counted, many are estimated from samples.
     *
     * @param overdueBefore an alarm before this instant is overdue
     * @param bounds the bounds of the buckets, in order; each bucket reaches from one bound (inclusive) to the next
     *     (exclusive)
     * @return the number of overdue alarms, and one number for each bucket
     */
    DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds);

    /** Returns the latest alarm with any reason, empty if there is none. */
    Optional<Instant> lastDue(int shard, Set<RunKind> kinds);

    /**
     * Returns how many runs of each queue are due at {@code now} and wait for room. Queues without such runs may be
     * missing.
     */
    Map<String, Count> queueDepths(int shard, Instant now);

    /** Returns the lanes whose earliest alarm, with any reason, is before an instant. Reads one alarm of each lane. */
    List<OverdueLane> overdueLanes(int shard, Instant before);

    /**
     * Returns the number of runs of these kinds, by state. Up to {@link StatusCounts#MOST} of each state are counted.
     */
    StatusCounts census(int shard, Set<RunKind> kinds);

    /**
     * Stores a node's tallies, replacing its earlier ones for the same slots. Also stores the node's state in its row,
     * if it has one. Repeating the call changes nothing.
     *
     * @param tallies tallies of this node, at most one for each slot and length
     */
    void tally(int shard, String nodeId, NodeState state, List<Tally> tallies);

    /**
     * Returns the tallies of all nodes for slots of a length that begin between {@code from} (inclusive) and {@code to}
     * (exclusive), in order of slots.
     */
    List<Tally> tallies(int shard, Duration length, Instant from, Instant to);

    /** Deletes tallies for slots of a length that began before an instant. Returns how many were deleted. */
    int forgetTallies(int shard, Duration length, Instant before);
}
