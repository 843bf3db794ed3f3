package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.observe.Counters;
import dev.dormouse.internal.engine.observe.TallySlot;
import dev.dormouse.internal.engine.observe.TallySlots;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Loop;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that writes what this node has counted: in one statement, a second after the first count. So a busy node
 * writes once a second, and an idle node never. Each row belongs to one node and is replaced as a whole: no node waits
 * for another, and a repeated write is harmless. A crash loses the counts of up to a second. Events in the second after
 * the end of a slot may be counted in the next slot.
 *
 * <p>Nothing depends on these numbers. A failed write is repeated, and the oldest slots beyond {@link #MOST_UNSENT} are
 * dropped.
 *
 * <p>Any thread may call {@link #changed} and {@link #close}; everything else runs on the loop's thread.
 */
public final class TallyLoop extends Loop {
    private static final Logger LOG = LoggerFactory.getLogger(TallyLoop.class);
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);
    private static final Duration AFTER_PROBLEM = Duration.ofSeconds(10);
    private static final int MOST_UNSENT = 100;

    /** The period after which the row of a dead node is deleted. Operators have noticed by then that it died. */
    private static final Duration DEAD_NODES_STAY = Duration.ofDays(1);

    private final Store store;
    private final StoreClock clock;
    private final String nodeId;
    private final Supplier<NodeState> state;
    private final Counters counters;
    private final Gate done;
    private final TallySlot shorter = new TallySlot(TallySlots.SHORT);
    private final TallySlot longer = new TallySlot(TallySlots.LONG);
    private final Map<Slot, Tally> unsent = new LinkedHashMap<>();
    private TallyCounts counted = TallyCounts.NONE;
    private boolean mustForget;
    private volatile boolean dirty;
    private volatile boolean runs;

    private record Slot(Duration length, Instant begin) {}

    /** @param state supplies the state that this node publishes about itself */
    public TallyLoop(
            Store store,
            Threads threads,
            StoreClock clock,
            String nodeId,
            Counters counters,
            Supplier<NodeState> state) {
        super(threads);
        this.store = store;
        this.clock = clock;
        this.nodeId = nodeId;
        this.state = state;
        this.counters = counters;
        this.done = threads.newGate();
    }

    /** Requests a write, because something was counted. Costs one read if a write is requested already. */
    public void changed() {
        if (!dirty) {
            dirty = true;
            wake();
        }
    }

    /** Ends the loop and waits up to a second until it has written the last counts. */
    @Override
    public void close() {
        super.close();
        if (runs) {
            done.pass(AT_MOST_EVERY);
        }
    }

    @Override
    public void run() {
        runs = true;
        try {
            super.run();
            flushAtLast();
        } finally {
            done.open();
        }
    }

    @Override
    protected void turn() {
        await();
        rest(AT_MOST_EVERY);
        if (!isClosed()) {
            flushOrWait();
        }
    }

    private void flushOrWait() {
        try {
            flush();
        } catch (StoreException noAnswer) {
            wake(); // the outage is reported elsewhere
        } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
            LOG.warn("Writing the counts of this node failed; trying again", problem);
            wake();
            rest(AFTER_PROBLEM);
        }
    }

    /** Writes the last counts when the node closes. A failure is not retried. */
    private void flushAtLast() {
        try {
            if (dirty) {
                flush();
            }
        } catch (RuntimeException lost) {
            LOG.debug("The last counts of this node are lost", lost);
        }
    }

    private void flush() {
        dirty = false; // counts from here on are for the next write
        Instant now = clock.latest();
        TallyCounts all = counters.sum();
        TallyCounts more = all.minus(counted);
        counted = all;
        shorter.add(now, more);
        mustForget |= longer.add(now, more);
        keep(shorter);
        keep(longer);
        PageStore pages = store.pages();
        pages.tally(TallySlots.SHARD, nodeId, state.get(), List.copyOf(unsent.values()));
        unsent.clear();
        if (mustForget) {
            pages.forgetTallies(TallySlots.SHARD, TallySlots.SHORT, now.minus(TallySlots.KEEP_SHORT));
            pages.forgetTallies(TallySlots.SHARD, TallySlots.LONG, now.minus(TallySlots.KEEP_LONG));
            forgetNodes(now.minus(DEAD_NODES_STAY));
            mustForget = false;
        }
    }

    /**
     * Deletes the rows of dead nodes, which cannot leave by themselves. If this node itself was not seen for as long,
     * all nodes may have been suspended, so this node deletes none.
     */
    private void forgetNodes(Instant seenBefore) {
        for (int shard = 0; shard < store.shards(); shard++) {
            List<NodeRow> dead = store.nodes(shard).stream()
                    .filter(node -> node.seenAt().isBefore(seenBefore))
                    .toList();
            if (dead.stream().noneMatch(node -> node.nodeId().equals(nodeId))) {
                for (NodeRow node : dead) {
                    store.leave(shard, node.nodeId());
                }
            }
        }
    }

    private void keep(TallySlot slot) {
        Tally tally = slot.tally(nodeId);
        unsent.put(new Slot(tally.length(), tally.slot()), tally);
        if (unsent.size() > MOST_UNSENT) {
            Iterator<Slot> oldest = unsent.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }
}
