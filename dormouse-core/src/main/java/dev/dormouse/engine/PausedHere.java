package dev.dormouse.engine;

import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs whose activity has paused on this node, which goes on with it if it lives: it may have files there, or a warm
 * cache. Their alarms are later than the pause ends, for the other nodes. Shortly before it ends this node sets the alarm to
 * where it belongs, and looks for due runs at that very instant, when others hardly do.
 *
 * <p>Nothing rests on it: a run that is missing here goes on when its alarm is due. Thread-safe.
 */
final class PausedHere {
    private static final int MOST = 10_000;
    private static final Duration LEAD = Duration.ofMillis(100);

    private final Engine engine;
    private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparing(Entry::at));

    /**
     * @param at when the pause ends
     * @param commit sets the run's alarm to that
     */
    record Entry(int shard, String lane, Instant at, Commit commit) {}

    PausedHere(Engine engine) {
        this.engine = engine;
    }

    synchronized boolean hasRoom() {
        return entries.size() < MOST;
    }

    synchronized void add(Entry entry) {
        entries.add(entry);
    }

    /** When the next alarm is to be set. */
    synchronized Instant next() {
        Entry first = entries.peek();
        return first == null ? Instant.MAX : first.at.minus(LEAD);
    }

    /** Sets the alarms of pauses that end soon. */
    void setAlarms() {
        Entry entry = pollDue();
        while (entry != null) {
            setAlarm(entry);
            entry = pollDue();
        }
    }

    private synchronized @Nullable Entry pollDue() {
        return engine.clock().hasReached(next()) ? entries.poll() : null;
    }

    private void setAlarm(Entry entry) {
        engine.writers(entry.shard).submit(entry.commit, outcome -> {
            if (outcome instanceof CommitOutcome.Committed) {
                engine.arm(entry.lane, entry.at);
            }
        });
    }

    /** This node closes: others are to go on with all of them, on time. Waits for no longer than this. */
    void release(Duration atMost) {
        List<Entry> all = takeAll();
        AtomicInteger onTheirWay = new AtomicInteger(all.size());
        Gate released = engine.threads().newGate();
        for (Entry entry : all) {
            engine.writers(entry.shard).submit(entry.commit, outcome -> {
                engine.ring(entry.shard, entry.lane, entry.at);
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
        List<Entry> all = List.copyOf(entries);
        entries.clear();
        return all;
    }
}
