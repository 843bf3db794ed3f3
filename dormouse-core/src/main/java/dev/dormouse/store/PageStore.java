package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What those ask who look on: pages of a dashboard, the command line. Every call looks at a bounded number of rows, along
 * an index, however many there are; where that is not enough to count, it estimates, and says so. No run is ever touched.
 *
 * <p>An alarm counts as due here if a user has set it, see {@link WakeReason#isSet()}: a lease or mail is none. At most
 * {@link #MOST_LANES} lanes of a shard are looked at, the first by name.
 *
 * <p>Throws {@link StoreException} when the database cannot be asked.
 */
public interface PageStore {
    int MOST_LANES = 1_000;

    /**
     * Runs that have a due alarm and that nobody holds, by alarm and run id. Of the alarms of one lane at one and the same
     * instant, some thousand are shown and others may be left out.
     *
     * @param after {@link DuePage#next} of the page before; null for the first
     */
    DuePage<RunRow> due(int shard, Set<RunKind> kinds, @Nullable DuePlace after, int limit);

    /**
     * How many runs have such an alarm. Few are counted, many are estimated by how dense they are in places.
     *
     * @param overdueBefore an alarm before this instant is overdue
     * @param bounds of the buckets, in order; each bucket is from one, inclusive, to the next
     */
    DueCounts dueCounts(int shard, Set<RunKind> kinds, Instant overdueBefore, List<Instant> bounds);

    /** The latest alarm of all, of whatever reason. */
    Optional<Instant> lastDue(int shard, Set<RunKind> kinds);

    /** How many runs of each queue are due at an instant and wait for room; queues in which none does may be missing. */
    Map<String, Count> queueDepths(int shard, Instant now);

    /** Returns the lanes whose earliest alarm, of whatever reason, is before an instant. Looks at one alarm in each lane. */
    List<OverdueLane> overdueLanes(int shard, Instant before);

    /** How many runs of these kinds stand where; up to {@link Census#MOST} each are counted. */
    Census census(int shard, Set<RunKind> kinds);

    /**
     * Puts a node's tallies in the place of what it said of the same slots before, and its state into its row, if it has
     * one. Doing so again changes nothing.
     *
     * @param tallies of this node, at most one for each slot and length
     */
    void tally(int shard, String nodeId, NodeState state, List<Tally> tallies);

    /** Tallies of all nodes, of slots of a length that begin from one instant, inclusive, to another; in order of slots. */
    List<Tally> tallies(int shard, Duration length, Instant from, Instant to);

    /** Deletes tallies of slots of a length that began before an instant; tells how many. */
    int forgetTallies(int shard, Duration length, Instant before);
}
