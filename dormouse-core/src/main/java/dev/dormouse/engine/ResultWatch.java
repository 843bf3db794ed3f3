package dev.dormouse.engine;

import dev.dormouse.history.Event;
import dev.dormouse.history.EventCodec;
import dev.dormouse.store.HistoryRow;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.Shards;
import dev.dormouse.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Notices when runs close elsewhere that somebody waits for here. Asks for all of them in one statement, soon after
 * somebody began to wait and then ever more rarely; where one process owns the store, nothing closes elsewhere and it
 * never asks.
 */
final class ResultWatch implements Runnable {
    private static final Duration FIRST = Duration.ofMillis(10);
    private static final Duration LAST = Duration.ofSeconds(1);
    private static final int AT_ONCE = 500;

    private final Engine engine;
    private final Gate gate;
    private final Map<UUID, Integer> shards = new HashMap<>();
    private int position;
    private volatile boolean closed;

    ResultWatch(Engine engine) {
        this.engine = engine;
        this.gate = engine.threads().newGate();
    }

    /** Somebody waits for a run that is not executed here. */
    void watch(UUID runId, String workflowId) {
        synchronized (shards) {
            shards.put(runId, Shards.of(workflowId, engine.store().shards()));
        }
        gate.open();
    }

    /** Some run has closed elsewhere. */
    void wake() {
        gate.open();
    }

    void close() {
        closed = true;
        gate.open();
    }

    @Override
    public void run() {
        Duration pause = FIRST;
        while (!closed) {
            boolean woken = isIdle() ? waitForWork() : gate.pass(pause);
            Duration doubled = pause.multipliedBy(2);
            pause = woken ? FIRST : doubled.compareTo(LAST) < 0 ? doubled : LAST;
            try {
                look();
            } catch (StoreException noAnswer) {
                engine.stalled();
            }
        }
    }

    private boolean waitForWork() {
        gate.pass();
        return true;
    }

    private boolean isIdle() {
        synchronized (shards) {
            shards.keySet().retainAll(engine.results().awaited());
            return shards.isEmpty();
        }
    }

    private void look() {
        for (int shard = 0; shard < engine.store().shards() && !closed; shard++) {
            List<UUID> some = nextToAsk(shard);
            if (!some.isEmpty()) {
                engine.store().runs(shard, some).stream()
                        .filter(run -> run.status().isClosed())
                        .forEach(this::closed);
            }
        }
    }

    private List<UUID> nextToAsk(int shard) {
        synchronized (shards) {
            List<UUID> all = shards.entrySet().stream()
                    .filter(entry -> entry.getValue() == shard)
                    .map(Map.Entry::getKey)
                    .toList();
            if (all.size() <= AT_ONCE) {
                return all;
            }
            position = position >= all.size() ? 0 : position;
            List<UUID> some = all.subList(position, Math.min(all.size(), position + AT_ONCE));
            position += AT_ONCE;
            return some;
        }
    }

    private void closed(RunRow run) {
        closingEvent(run).ifPresent(event -> engine.results().closed(run.runId(), event));
    }

    /** The last event of a closed run. */
    Optional<Event> closingEvent(RunRow run) {
        Optional<HistoryRow> last = engine.store().lastHistory(run.shard(), run.runId());
        return last.map(row -> {
            List<Event> events = EventCodec.decode(row.payload());
            return events.get(events.size() - 1);
        });
    }
}
