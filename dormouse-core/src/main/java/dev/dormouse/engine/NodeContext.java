package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.EventCodec;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.HistoryRow;
import dev.dormouse.store.Notice;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreException;
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
 * The lower parts of one node, which all others share: the store and its writers, threads, clock, ids, settings and
 * telemetry. Refers to no run, loop or command. All fields are final; what changes is inside: the epoch of each shard, and
 * that the node was closed. Thread-safe.
 */
final class NodeContext {
    private static final int SWEEPS_TO_BE_DEAD = 3;

    private final Store store;
    private final Threads threads;
    private final EngineSettings settings;
    private final NodeName name;
    private final NodeNames names;
    private final StoreClock clock;
    private final Ids ids;
    private final TakeoverGuard guard;
    private final Witness witness;
    private final StoreContact contact;
    private final List<Writers> writers;
    private final Map<Integer, EventWrites> eventWrites = new HashMap<>();
    private final AtomicReferenceArray<String> epochs;
    private volatile boolean closed;

    NodeContext(
            Store store,
            Threads threads,
            EngineSettings settings,
            NodeName name,
            NodeNames names,
            StoreClock clock,
            Ids ids,
            Witness witness) {
        this.store = store;
        this.threads = threads;
        this.settings = settings;
        this.name = name;
        this.names = names;
        this.clock = clock;
        this.ids = ids;
        this.witness = witness;
        this.guard = new TakeoverGuard(threads, settings.leasePeriod());
        this.contact = new StoreContact(clock, guard, witness, threads.newGate());
        this.epochs = new AtomicReferenceArray<>(store.shards());
        for (int shard = 0; shard < store.shards(); shard++) {
            epochs.set(shard, Fence.ANY_EPOCH);
        }
        this.writers = IntStream.range(0, store.shards())
                .mapToObj(shard -> new Writers(threads, store, shard, settings, witness, contact::stalled))
                .toList();
    }

    Store store() {
        return store;
    }

    Threads threads() {
        return threads;
    }

    EngineSettings settings() {
        return settings;
    }

    String nodeId() {
        return name.nodeId();
    }

    String build() {
        return name.build();
    }

    /** Returns the name under which people know this node. */
    String display() {
        return name.display().isEmpty() ? name.nodeId() : name.display();
    }

    /** Returns the names under which people know other nodes. */
    NodeNames names() {
        return names;
    }

    StoreClock clock() {
        return clock;
    }

    Ids ids() {
        return ids;
    }

    TakeoverGuard guard() {
        return guard;
    }

    Witness witness() {
        return witness;
    }

    StoreContact contact() {
        return contact;
    }

    // ---- writing and reading

    Writers writers(int shard) {
        return writers.get(shard);
    }

    /** Returns the writer of events; it starts when it is used for the first time, since not every program has events. */
    synchronized EventWrites eventWrites(int shard) {
        if (closed) {
            throw Writers.nodeClosed();
        }
        return eventWrites.computeIfAbsent(shard, any -> new EventWrites(threads, store, shard, contact::stalled));
    }

    CommitOutcome commit(int shard, Commit commit) {
        return writers(shard).commit(commit);
    }

    List<HistoryRow> readHistory(RunRow run) {
        return writers(run.shard()).history(run);
    }

    /** Returns the first event of a run. */
    Event.RunStarted started(RunRow run) {
        return (Event.RunStarted) EventCodec.decode(store.history(run.shard(), run.runId(), 0)
                        .orElseThrow(() -> new DormouseException(
                                ErrorCode.HISTORY_DAMAGED,
                                "Expected the first event of run " + run.runId() + ", but it is not there. "
                                        + "Restore it from a backup."))
                        .payload())
                .get(0);
    }

    RunRow find(int shard, String workflowId, UUID runId) {
        return store.run(shard, runId)
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected a run " + runId + " of workflow id '" + workflowId
                                + "', but there is none. It was purged, or the transaction that started it has not "
                                + "committed."));
    }

    /** Calls the store until it answers. Throws {@link Evicted} if the node closes before that. */
    <T> T persist(Supplier<T> question) {
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

    /** Notifies other nodes that a run of a lane is due, which this node cannot or will not claim. */
    void ring(int shard, String lane, Instant at) {
        store.notify(List.of(new Notice.AlarmSet(shard, lane, at)));
    }

    // ---- the state of the store

    /** Learns from an answer of the store; see {@link StoreContact#observe}. */
    void observe(Instant stamp, long sent) {
        contact.observe(stamp, sent);
    }

    /** Reports a call of the store that failed; see {@link StoreContact#stalled}. */
    void stalled(StoreException problem) {
        contact.stalled(problem);
    }

    /** Returns the store's epoch as far as this node knows it: everything read from now on is of this epoch or a later one. */
    String epoch(int shard) {
        return epochs.get(shard);
    }

    void epoch(int shard, String name) {
        epochs.set(shard, name);
    }

    // ---- periods

    /** Returns the delay until a stuck run is tried again: the longer it made no progress, the longer it is. */
    Duration stuckDelay(Instant lastProgress) {
        Duration delay = Duration.between(lastProgress, clock.latest()).dividedBy(2);
        if (delay.compareTo(settings.stuckRetry()) < 0) {
            return settings.stuckRetry();
        }
        return delay.compareTo(settings.stuckRetryAtMost()) > 0 ? settings.stuckRetryAtMost() : delay;
    }

    /** Returns the period after which a node that was not seen counts as dead. */
    Duration nodeTimeout() {
        return settings.sweepInterval().multipliedBy(SWEEPS_TO_BE_DEAD);
    }

    // ---- its end

    boolean isClosed() {
        return closed;
    }

    /** Stops all writers. Calls that wait for the store end with {@link Evicted}. */
    void close() {
        closed = true;
        writers.forEach(Writers::close);
        closeEventWrites();
    }

    private synchronized void closeEventWrites() {
        eventWrites.values().forEach(EventWrites::close);
    }
}
