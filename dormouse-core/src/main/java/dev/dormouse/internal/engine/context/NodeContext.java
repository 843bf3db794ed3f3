package dev.dormouse.internal.engine.context;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.NodeNames;
import dev.dormouse.internal.engine.observe.Telemetry;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.engine.time.TakeoverGuard;
import dev.dormouse.internal.engine.write.EventWrites;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The shared foundation of one node: the store and its writers, threads, clock, ids, settings and telemetry. It does
 * not refer to runs, loops or commands.
 *
 * <p>Thread-safe. All fields are final, except the flag that the node is closed. The epoch of each shard changes too;
 * the alarm loop sets it.
 */
public final class NodeContext {
    private static final int SWEEPS_TO_BE_DEAD = 3;

    private final Store store;
    private final Threads threads;
    private final EngineSettings settings;
    private final NodeName name;
    private final NodeNames names;
    private final StoreClock clock;
    private final IdGenerator ids;
    private final TakeoverGuard guard;
    private final Telemetry telemetry;
    private final StoreContact contact;
    private final List<Writers> writers;
    private final Map<Integer, EventWrites> eventWrites = new HashMap<>();
    private final AtomicReferenceArray<String> epochs;
    private volatile boolean closed;

    public NodeContext(
            Store store,
            Threads threads,
            EngineSettings settings,
            NodeName name,
            NodeNames names,
            StoreClock clock,
            IdGenerator ids,
            Telemetry telemetry) {
        this.store = store;
        this.threads = threads;
        this.settings = settings;
        this.name = name;
        this.names = names;
        this.clock = clock;
        this.ids = ids;
        this.telemetry = telemetry;
        this.guard = new TakeoverGuard(threads, settings.leasePeriod());
        this.contact = new StoreContact(clock, guard, telemetry, threads.newGate());
        this.epochs = new AtomicReferenceArray<>(store.shards());
        for (int shard = 0; shard < store.shards(); shard++) {
            epochs.set(shard, Fence.ANY_EPOCH);
        }
        this.writers = IntStream.range(0, store.shards())
                .mapToObj(shard -> new Writers(threads, store, shard, settings, telemetry, contact::stalled))
                .toList();
    }

    public Store store() {
        return store;
    }

    public Threads threads() {
        return threads;
    }

    public EngineSettings settings() {
        return settings;
    }

    public String nodeId() {
        return name.nodeId();
    }

    public String build() {
        return name.build();
    }

    /** Returns the display name of this node, or its id if it has none. */
    public String display() {
        return name.display().isEmpty() ? name.nodeId() : name.display();
    }

    /** Returns the display names of other nodes. */
    public NodeNames names() {
        return names;
    }

    public StoreClock clock() {
        return clock;
    }

    public IdGenerator ids() {
        return ids;
    }

    public TakeoverGuard guard() {
        return guard;
    }

    public Telemetry telemetry() {
        return telemetry;
    }

    public StoreContact contact() {
        return contact;
    }

    // ---- writing and reading

    public Writers writers(int shard) {
        return writers.get(shard);
    }

    /**
     * Returns the writer of events for a shard. It is created on first use, because not every program has events.
     *
     * @throws dev.dormouse.error.DormouseException DORMOUSE_CLOSED if the node is closed
     */
    public synchronized EventWrites eventWrites(int shard) {
        if (closed) {
            throw Writers.nodeClosed();
        }
        return eventWrites.computeIfAbsent(shard, any -> new EventWrites(threads, store, shard, contact::stalled));
    }

    public CommitOutcome commit(int shard, Commit commit) {
        return writers(shard).commit(commit);
    }

    public List<HistoryRow> readHistory(RunRow run) {
        return writers(run.shard()).history(run);
    }

    /**
     * Returns the first event of a run.
     *
     * @throws DormouseException HISTORY_DAMAGED if it does not exist
     */
    public Event.RunStarted started(RunRow run) {
        return (Event.RunStarted) EventCodec.decode(store.history(run.shard(), run.runId(), 0)
                        .orElseThrow(() -> new DormouseException(
                                ErrorCode.HISTORY_DAMAGED,
                                "Expected the first event of run " + run.runId() + ", but it is not there. "
                                        + "Restore it from a backup."))
                        .payload())
                .get(0);
    }

    public RunRow find(int shard, String workflowId, UUID runId) {
        return store.run(shard, runId)
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected a run " + runId + " of workflow id '" + workflowId
                                + "', but there is none. It was purged, or the transaction that started it has not "
                                + "committed."));
    }

    /** Calls the store until it answers. Throws {@link Evicted} if the node closes before that. */
    public <T> T persist(Supplier<T> question) {
        BackOff backOff = new BackOff();
        while (!closed) {
            try {
                return question.get();
            } catch (StoreException noAnswer) {
                stalled(noAnswer);
                threads.newGate().pass(backOff.next());
            }
        }
        throw new Evicted();
    }

    /** Notifies other nodes of a due run in {@code lane} that this node cannot or will not claim. */
    public void notifyNodes(int shard, String lane, Instant at) {
        store.notify(List.of(new Notice.AlarmSet(shard, lane, at)));
    }

    // ---- the state of the store

    /** Reports an answer of the store; see {@link StoreContact#observe}. */
    public void observe(Instant stamp, long sent) {
        contact.observe(stamp, sent);
    }

    /** Reports a failed call of the store; see {@link StoreContact#stalled}. */
    public void stalled(StoreException problem) {
        contact.stalled(problem);
    }

    /**
     * Returns the store's epoch as far as this node knows it. Data read from now on is of this epoch or a later one.
     */
    public String epoch(int shard) {
        return epochs.get(shard);
    }

    public void epoch(int shard, String name) {
        epochs.set(shard, name);
    }

    // ---- periods

    /** Returns the delay until a stuck run is tried again. It grows with the time since the run's last progress. */
    public Duration stuckDelay(Instant lastProgress) {
        Duration delay = Duration.between(lastProgress, clock.latest()).dividedBy(2);
        if (delay.compareTo(settings.stuckRetry()) < 0) {
            return settings.stuckRetry();
        }
        return delay.compareTo(settings.stuckRetryAtMost()) > 0 ? settings.stuckRetryAtMost() : delay;
    }

    /** Returns the period after which a node that was not seen counts as dead. */
    public Duration nodeTimeout() {
        return settings.sweepInterval().multipliedBy(SWEEPS_TO_BE_DEAD);
    }

    // ---- closing

    public boolean isClosed() {
        return closed;
    }

    /**
     * Stops all writers. After that, {@link #persist} and {@link #readHistory} throw {@link Evicted}, and commits
     * return an unknown outcome.
     */
    public void close() {
        closed = true;
        writers.forEach(Writers::close);
        closeEventWrites();
    }

    private synchronized void closeEventWrites() {
        eventWrites.values().forEach(EventWrites::close);
    }
}
