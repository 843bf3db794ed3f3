package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs whose activity has paused on this node, which goes on with it if it lives: it may have files there, or a warm
 * cache. Their alarms are later than the pause ends, for the other nodes. Shortly before it ends this node sets the alarm to
 * where it belongs, and looks for due runs at that very instant, when others hardly do.
 *
 * <p>Nothing rests on it: a run that is missing here goes on when its alarm is due. Thread-safe.
 */
public final class LocalPauses {
    private static final int MOST = 10_000;
    private static final Duration LEAD = Duration.ofMillis(100);

    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final Map<UUID, Entry> byRun = new HashMap<>();
    private final TreeSet<Entry> byEnd =
            new TreeSet<>(Comparator.comparing(Entry::at).thenComparing(Entry::runId));
    private final Deque<Entry> atHand = new ArrayDeque<>();

    /**
     * @param at when the pause ends
     * @param commit sets the run's alarm to that
     */
    record Entry(int shard, String lane, Instant at, Commit commit) {
        UUID runId() {
            return commit.runId();
        }
    }

    public LocalPauses(NodeContext context, RunHost host, RunTable table) {
        this.context = context;
        this.host = host;
        this.table = table;
    }

    synchronized boolean hasRoom() {
        return byRun.size() < MOST;
    }

    /** Takes the place of an older one of the same run. */
    synchronized void add(Entry entry) {
        Entry old = byRun.put(entry.runId(), entry);
        if (old != null) {
            byEnd.remove(old);
        }
        byEnd.add(entry);
    }

    /** When the next alarm is to be set. */
    public synchronized Instant next() {
        return byEnd.isEmpty() ? Instant.MAX : byEnd.first().at.minus(LEAD);
    }

    /** Sets the alarms of pauses that end soon. */
    public void setAlarms() {
        Entry entry = pollDue();
        while (entry != null) {
            if (!isForOthers(entry)) {
                setAlarm(entry);
            }
            entry = pollDue();
        }
    }

    private synchronized @Nullable Entry pollDue() {
        atHand.removeIf(this::isForOthers);
        if (!context.clock().hasReached(next())) {
            return null;
        }
        Entry entry = byEnd.pollFirst();
        if (entry != null) {
            byRun.remove(entry.runId());
            atHand.add(entry);
        }
        return entry;
    }

    /** Whether this node was away for so long that others have gone on. */
    private boolean isForOthers(Entry entry) {
        return context.clock().hasReached(entry.at.plus(context.settings().parkGrace()));
    }

    private void setAlarm(Entry entry) {
        context.writers(entry.shard).submit(entry.commit, outcome -> {
            if (outcome instanceof CommitOutcome.Committed) {
                host.arm(entry.lane, entry.at);
                if (!table.hasRoomForClaim()) {
                    context.notifyNodes(entry.shard, entry.lane, entry.at);
                }
            }
        });
    }

    /** This node closes: others are to go on with all of them, on time. Waits for no longer than this. */
    public void release(Duration atMost) {
        List<Entry> all = takeAll();
        AtomicInteger onTheirWay = new AtomicInteger(all.size());
        Gate released = context.threads().newGate();
        for (Entry entry : all) {
            context.writers(entry.shard).submit(entry.commit, outcome -> {
                context.notifyNodes(entry.shard, entry.lane, entry.at);
                if (onTheirWay.decrementAndGet() == 0) {
                    released.open();
                }
            });
        }
        if (!all.isEmpty()) {
            released.pass(atMost);
        }
    }

    private synchronized List<Entry> takeAll() {
        List<Entry> all = new ArrayList<>(byEnd);
        all.addAll(atHand);
        byEnd.clear();
        byRun.clear();
        atHand.clear();
        return all;
    }
}
