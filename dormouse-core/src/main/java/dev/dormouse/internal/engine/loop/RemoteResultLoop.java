package dev.dormouse.internal.engine.loop;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.command.RunResults;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.thread.BackOff;
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

/**
 * The loop that detects that a run awaited by a caller on this node has closed on another node. Other nodes send a
 * notification. Because a notification can be lost, the loop also polls the store, up to {@link #AT_ONCE} runs per
 * statement. The pauses between polls are short at first, then double up to the sweep interval. If one process owns the
 * store, no run closes elsewhere, and the loop does not poll.
 *
 * <p>Any thread may call {@link #watch}, {@link #expect}, {@link #lookNow}, {@link #closingEvent} and {@link #close};
 * everything else runs on the loop's thread. Guaranteed: the loop polls each watched run until it closes, is missing,
 * or is no longer awaited.
 */
public final class RemoteResultLoop extends StoreLoop {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final int AT_ONCE = 500;

    private final RunResults results;
    private final BackOff pauses;
    private final Map<UUID, Integer> shards = new LinkedHashMap<>();
    private final Set<UUID> expected = ConcurrentHashMap.newKeySet();

    public RemoteResultLoop(NodeContext context, RunResults results) {
        super(context);
        this.results = results;
        this.pauses = new BackOff(FIRST_PAUSE, context.settings().sweepInterval());
    }

    /** Watches a run that may close on another node. */
    public void watch(UUID runId, int shard) {
        synchronized (shards) {
            shards.put(runId, shard);
        }
        context.store().notify(List.of(new Notice.Watched(runId)));
        wake();
    }

    /** Declares that a run may not exist yet but will, so that its absence is not an error. */
    public void expect(UUID runId) {
        expected.add(runId);
    }

    /** Polls the store immediately. Called when another node reports that a run has closed. */
    public void lookNow() {
        wake();
    }

    @Override
    protected void turn() {
        if (isIdle()) {
            await();
            pauses.reset();
        }
        attemptAllShards("Looking for closed runs failed; trying again", this::look);
        if (await(pauses.next())) {
            pauses.reset();
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
                complete(run);
            }
        }
        missing.removeAll(expected);
        missing.forEach(this::failMissing);
    }

    /** Returns watched runs of a shard, at most {@link #AT_ONCE}, and moves them to the end of the list. */
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

    private void complete(RunRow run) {
        try {
            results.closed(run.runId(), closingEvent(run));
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            results.failed(run.runId(), damaged);
        }
    }

    private void failMissing(UUID runId) {
        results.failed(
                runId,
                new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected run " + runId + " to exist until it closes, but it does not. "
                                + "It may have been purged, or was started in a transaction that rolled back."));
    }

    /**
     * Returns the last event of a closed run. Reads and checks the whole history, so that a damaged result is not
     * returned.
     */
    public Event closingEvent(RunRow run) {
        List<Event> events = History.read(run, context.store().histories(run.shard(), List.of(run.runId())));
        return events.get(events.size() - 1);
    }
}
