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
 * Runs whose activity has paused on this node. This node is preferred for their next attempt, because it may have local
 * files or a warm cache. Until then their rows carry an alarm later than the end of the pause, for other nodes. Shortly
 * before the pause ends, this node moves the alarm to its end and claims at that very instant, when other nodes are
 * unlikely to claim.
 *
 * <p><b>Best effort.</b> No run depends on it: a run that is missing here, or whose alarm could not be moved, resumes
 * on any node when its alarm is due. Thread-safe.
 */
public final class LocalPauses {
    private static final int CAPACITY = 10_000;
    private static final Duration LEAD = Duration.ofMillis(100);

    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;
    private final Map<UUID, Entry> byRun = new HashMap<>();
    private final TreeSet<Entry> byEnd =
            new TreeSet<>(Comparator.comparing(Entry::at).thenComparing(Entry::runId));
    private final Deque<Entry> alarmsMoved = new ArrayDeque<>();

    /**
     * A pause on this node.
     *
     * @param at the end of the pause
     * @param commit sets the run's alarm to {@code at}
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
        return byRun.size() < CAPACITY;
    }

    /** Adds an entry. Replaces an older entry of the same run. */
    synchronized void add(Entry entry) {
        Entry old = byRun.put(entry.runId(), entry);
        if (old != null) {
            byEnd.remove(old);
        }
        byEnd.add(entry);
    }

    /** Returns when the next alarm must be moved. */
    public synchronized Instant next() {
        return byEnd.isEmpty() ? Instant.MAX : byEnd.first().at.minus(LEAD);
    }

    /** Moves the alarms of pauses that end soon. */
    public void setAlarms() {
        Entry entry = pollDue();
        while (entry != null) {
            if (!isDueForOthers(entry)) {
                setAlarm(entry);
            }
            entry = pollDue();
        }
    }

    private synchronized @Nullable Entry pollDue() {
        alarmsMoved.removeIf(this::isDueForOthers);
        if (!context.clock().hasReached(next())) {
            return null;
        }
        Entry entry = byEnd.pollFirst();
        if (entry != null) {
            byRun.remove(entry.runId());
            alarmsMoved.add(entry);
        }
        return entry;
    }

    /** Returns true if this node was suspended until the alarm for other nodes was due. */
    private boolean isDueForOthers(Entry entry) {
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

    /**
     * Moves the alarms of all pauses to their ends because this node closes, so that other nodes resume the runs on
     * time. Waits for at most {@code atMost}.
     */
    public void release(Duration atMost) {
        List<Entry> all = takeAll();
        AtomicInteger pending = new AtomicInteger(all.size());
        Gate released = context.threads().newGate();
        for (Entry entry : all) {
            context.writers(entry.shard).submit(entry.commit, outcome -> {
                context.notifyNodes(entry.shard, entry.lane, entry.at);
                if (pending.decrementAndGet() == 0) {
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
        all.addAll(alarmsMoved);
        byEnd.clear();
        byRun.clear();
        alarmsMoved.clear();
        return all;
    }
}
