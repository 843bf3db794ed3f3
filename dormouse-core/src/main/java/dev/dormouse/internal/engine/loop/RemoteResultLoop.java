package dev.dormouse.internal.engine.loop;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.command.RunResults;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when runs close elsewhere that somebody waits for here. It asks the other nodes to tell, and as they may not,
 * asks the store too, for many runs in one statement: soon after somebody began to wait, and then ever more rarely.
 * Where one process owns the store, nothing closes elsewhere and nothing is asked.
 */
public final class RemoteResultLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteResultLoop.class);
    private static final Duration FIRST = Duration.ofMillis(10);
    private static final int AT_ONCE = 500;

    private final NodeContext context;
    private final RunResults results;
    private final Gate gate;
    private final Map<UUID, Integer> shards = new LinkedHashMap<>();
    private final Set<UUID> expected = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public RemoteResultLoop(NodeContext context, RunResults results) {
        this.context = context;
        this.results = results;
        this.gate = context.threads().newGate();
    }

    /** Somebody waits for a run that may close elsewhere. */
    public void watch(UUID runId, int shard) {
        synchronized (shards) {
            shards.put(runId, shard);
        }
        context.store().notify(List.of(new Notice.Watched(runId)));
        gate.open();
    }

    /** This run may not be there yet, but will be. */
    public void expect(UUID runId) {
        expected.add(runId);
    }

    /** A run has closed elsewhere. */
    public void wake() {
        gate.open();
    }

    public void close() {
        closed = true;
        gate.open();
    }

    @Override
    public void run() {
        Duration last = context.settings().sweepInterval();
        Duration pause = FIRST;
        while (!closed) {
            if (isIdle()) {
                gate.pass();
                pause = FIRST;
            }
            look();
            boolean woken = gate.pass(pause);
            Duration doubled = pause.multipliedBy(2);
            pause = woken ? FIRST : doubled.compareTo(last) < 0 ? doubled : last;
        }
    }

    private boolean isIdle() {
        synchronized (shards) {
            Set<UUID> awaited = results.awaited();
            shards.keySet().retainAll(awaited);
            expected.retainAll(awaited);
            return shards.isEmpty();
        }
    }

    private void look() {
        for (int shard = 0; shard < context.store().shards() && !closed; shard++) {
            try {
                look(shard);
            } catch (StoreException noAnswer) {
                context.stalled(noAnswer);
            } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                LOG.error("Looking for closed runs failed; trying again", problem);
            }
        }
    }

    private void look(int shard) {
        List<UUID> some = nextToAsk(shard);
        if (some.isEmpty()) {
            return;
        }
        Set<UUID> missing = new HashSet<>(some);
        for (RunRow run : context.store().runs(shard, some)) {
            missing.remove(run.runId());
            expected.remove(run.runId());
            if (run.status().isClosed()) {
                tell(run);
            }
        }
        missing.removeAll(expected);
        missing.forEach(this::tellMissing);
    }

    /** Some of the watched runs; those that are asked for now come last the next time. */
    private List<UUID> nextToAsk(int shard) {
        synchronized (shards) {
            List<UUID> some = new ArrayList<>();
            for (Map.Entry<UUID, Integer> run : shards.entrySet()) {
                if (run.getValue() == shard && some.size() < AT_ONCE) {
                    some.add(run.getKey());
                }
            }
            some.forEach(run -> {
                shards.remove(run);
                shards.put(run, shard);
            });
            return some;
        }
    }

    private void tell(RunRow run) {
        try {
            results.closed(run.runId(), closingEvent(run));
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            results.failed(run.runId(), damaged);
        }
    }

    private void tellMissing(UUID runId) {
        results.failed(
                runId,
                new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected run " + runId + " to be there until it closes, but it is not. "
                                + "It may have been purged, or was started in a transaction that rolled back."));
    }

    /** The last event of a closed run, read with its whole history: a result that is damaged is not given out. */
    public Event closingEvent(RunRow run) {
        List<Event> events = History.read(run, context.store().histories(run.shard(), List.of(run.runId())));
        return events.get(events.size() - 1);
    }
}
