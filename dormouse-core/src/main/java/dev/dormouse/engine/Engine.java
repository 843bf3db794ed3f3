package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.EventCodec;
import dev.dormouse.store.Commit;
import dev.dormouse.store.CommitOutcome;
import dev.dormouse.store.Fence;
import dev.dormouse.store.HistoryRow;
import dev.dormouse.store.NodeRow;
import dev.dormouse.store.NodeState;
import dev.dormouse.store.Notice;
import dev.dormouse.store.RunRow;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What the parts of one node share. */
final class Engine {
    private static final int SWEEPS_TO_BE_DEAD = 3;

    private final StoreWatch watch;
    private final Store store;
    private final Threads threads;
    private final EngineSettings settings;
    private final String nodeId;
    private final String build;
    private final String display;
    private final NodeNames names;
    private final Map<String, RunCode> code;
    private volatile List<String> lanes;
    private final StoreClock clock;
    private final Ids ids;
    private final RunTable table;
    private final Results results;
    private final Watchers watchers = new Watchers();
    private final TakeoverGuard guard;
    private final CrashLoopGuard crashLoops;
    private final DeafCode deafCode = new DeafCode();
    private final List<Writers> writers = new ArrayList<>();
    private final Map<Integer, EventWrites> eventWrites = new HashMap<>();
    private final AtomicReferenceArray<String> epochs;
    private final Answers answers = new Answers();
    private final NoteLoop notes;
    private final QueueLoop queues;
    private final FlushLoop flushes;
    private final Counters counters = new Counters();
    private final TallyLoop tallies;
    private final Witness witness;
    private final PausedHere paused = new PausedHere(this);
    private final FailoverRecovery recovery = new FailoverRecovery(this);
    private final UnservedLanes unserved;
    private Runnable outbox = () -> {};
    private Runnable sweep = () -> {};
    private Consumer<Instant> alarms = instant -> {};
    private Runnable onStall = () -> {};
    private BiConsumer<UUID, Integer> awaited = (run, shard) -> {};
    private final AtomicBoolean clockWasSet = new AtomicBoolean();
    private volatile boolean closed;

    Engine(
            Store store,
            Threads threads,
            EngineSettings settings,
            RandomGenerator random,
            NodeName name,
            Map<String, RunCode> code,
            List<? extends EngineMonitor> monitors) {
        this.watch = new StoreWatch(threads);
        this.store = watch.over(store);
        this.threads = threads;
        this.settings = settings;
        this.nodeId = name.nodeId();
        this.build = name.build();
        this.display = name.display();
        this.names = new NodeNames(this.store);
        this.code = new ConcurrentHashMap<>(code);
        this.lanes = Lanes.all(code.keySet());
        this.clock = new StoreClock(threads);
        this.results = new Results(threads);
        this.ids = new Ids(random);
        this.table = new RunTable(settings.maxExecuting(), settings.maxParked());
        this.guard = new TakeoverGuard(threads, settings.leasePeriod());
        this.crashLoops = new CrashLoopGuard(threads, ids, settings, guard.renewPeriod());
        this.notes = new NoteLoop(this);
        this.queues = new QueueLoop(this, settings.queues());
        this.flushes = new FlushLoop(this);
        this.unserved = new UnservedLanes(this);
        this.tallies = new TallyLoop(this, counters);
        LeaseLog leases = new LeaseLog(threads, names, nodeId, settings.leasePeriod());
        this.witness = new Witness(monitors, counters, tallies::changed, clock, threads, leases);
        this.epochs = new AtomicReferenceArray<>(store.shards());
        for (int shard = 0; shard < store.shards(); shard++) {
            epochs.set(shard, Fence.ANY_EPOCH);
            writers.add(new Writers(threads, this.store, shard, settings, witness, this::stalled));
        }
    }

    /**
     * Where alarms of this node's own making go, who is told when the store did not answer, and who watches runs that
     * somebody waits for here and that may close elsewhere.
     */
    void connect(Consumer<Instant> alarmListener, Runnable stallListener, BiConsumer<UUID, Integer> watchListener) {
        alarms = alarmListener;
        onStall = stallListener;
        awaited = watchListener;
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
        return nodeId;
    }

    String build() {
        return build;
    }

    /** What people call this node. */
    String display() {
        return display.isEmpty() ? nodeId : display;
    }

    /** What people call other nodes. */
    NodeNames names() {
        return names;
    }

    Map<String, RunCode> code() {
        return code;
    }

    /** The code of a type; null where this node has none. */
    @Nullable
    RunCode code(String type) {
        return Families.find(code, type);
    }

    /** The lanes of all that this node executes, outside of queues. */
    List<String> lanes() {
        return lanes;
    }

    /** Executes runs of one more type from now on; false where there is code for it already. */
    synchronized boolean serve(String type, RunCode more) {
        if (code.putIfAbsent(type, more) != null) {
            return false;
        }
        lanes = Lanes.all(code.keySet());
        queues.served();
        return true;
    }

    StoreClock clock() {
        return clock;
    }

    Ids ids() {
        return ids;
    }

    RunTable table() {
        return table;
    }

    Results results() {
        return results;
    }

    TakeoverGuard guard() {
        return guard;
    }

    DeafCode deafCode() {
        return deafCode;
    }

    CrashLoopGuard crashLoops() {
        return crashLoops;
    }

    Writers writers(int shard) {
        return writers.get(shard);
    }

    /** Begins to write when it is used for the first time: not everybody has events. */
    synchronized EventWrites eventWrites(int shard) {
        if (closed) {
            throw Writers.nodeClosed();
        }
        return eventWrites.computeIfAbsent(shard, any -> new EventWrites(threads, store, shard, this::stalled));
    }

    CommitOutcome commit(int shard, Commit commit) {
        return writers(shard).commit(commit);
    }

    List<HistoryRow> readHistory(RunRow run) {
        return writers(run.shard()).history(run);
    }

    QueueLoop queues() {
        return queues;
    }

    UnservedLanes unserved() {
        return unserved;
    }

    FailoverRecovery recovery() {
        return recovery;
    }

    PausedHere paused() {
        return paused;
    }

    FlushLoop flushes() {
        return flushes;
    }

    TallyLoop tallies() {
        return tallies;
    }

    /** Returns what reports outages of the store. */
    StoreWatch watch() {
        return watch;
    }

    Witness witness() {
        return witness;
    }

    /** What this node says of itself. */
    NodeState state() {
        return new NodeState(
                display,
                table.executing(),
                table.parked(),
                settings.maxExecuting(),
                settings.leasePeriod(),
                counters.takeovers());
    }

    NoteLoop notes() {
        return notes;
    }

    Answers answers() {
        return answers;
    }

    /** Who is told when something is put into an outbox here, and who looks whether anything was missed. */
    void connectTo(Runnable outboxListener, Runnable sweeper) {
        outbox = outboxListener;
        sweep = sweeper;
    }

    /** Looks at once whether this node has missed anything. */
    void sweepNow() {
        sweep.run();
    }

    /** The first event of a run. */
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

    void outboxFilled() {
        outbox.run();
    }

    /** These events of a run are committed: who waits for an answer among them is told, here or elsewhere. */
    void answered(UUID runId, List<Event> events) {
        boolean any = false;
        for (Event event : events) {
            if (event instanceof Event.UpdateAnswered answer) {
                answers.told(runId, answer);
                any = true;
            }
        }
        if (any && watchers.contains(runId)) {
            store.notify(List.of(new Notice.Closed(runId)));
        }
    }

    Watchers watchers() {
        return watchers;
    }

    /** A run has closed here: who waits for it, here or elsewhere, is told, and who asks from now on reads it. */
    void closed(UUID runId, Event closing) {
        table.remove(runId);
        results.closed(runId, closing);
        answers.look(runId);
        notes.closed(runId);
        if (watchers.remove(runId)) {
            store.notify(List.of(new Notice.Closed(runId)));
        }
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        watch.close();
        writers.forEach(Writers::close);
        closeEventWrites();
        results.close();
    }

    private synchronized void closeEventWrites() {
        eventWrites.values().forEach(EventWrites::close);
    }

    /** A run is not in this node's memory, or has left it: who waits for it here learns its end from elsewhere. */
    void left(UUID runId, int shard) {
        if (!store.isExclusive() && results.isAwaited(runId)) {
            awaited.accept(runId, shard);
        }
    }

    /** Learns from an answer of the store; see {@link StoreClock#observe}. */
    void observe(Instant stamp, long sent) {
        if (clock.observe(stamp, sent)) {
            clockWasSet.set(true);
            guard.hold();
            onStall.run();
        } else {
            guard.answered();
        }
        witness.clockSeen();
    }

    void clockWasSet() {
        clockWasSet.set(true);
    }

    /** Whether the store's clock was set since this was asked for the last time. */
    boolean takeClockWasSet() {
        return clockWasSet.getAndSet(false);
    }

    /** The store did not answer. One that answers with an error is not stalled: others may well renew their leases. */
    void stalled(StoreException problem) {
        if (problem.code() != ErrorCode.STORE_UNAVAILABLE) {
            return;
        }
        if (guard.stalled()) {
            onStall.run();
        }
    }

    /** The store's epoch as far as this node knows: what it reads from now on is of that one, or of none. */
    String epoch(int shard) {
        return epochs.get(shard);
    }

    void epoch(int shard, String name) {
        epochs.set(shard, name);
    }

    /** Asks until the store answers; {@link Evicted} when the node closes before that. */
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

    /** Makes this node look for due runs of a lane at an instant. */
    void arm(String lane, Instant alarm) {
        if (Lanes.queueOf(lane).isEmpty()) {
            alarms.accept(alarm);
        } else {
            queues.arm(alarm);
        }
    }

    /** Whether this node takes runs of a lane. */
    boolean serves(String type, String lane) {
        return Lanes.queueOf(lane).isEmpty() ? code(type) != null : queues.serves(lane);
    }

    /** Tells other nodes that there is something due in a lane that this one cannot or will not take. */
    void ring(int shard, String lane, Instant at) {
        store.notify(List.of(new Notice.AlarmSet(shard, lane, at)));
    }

    /** The longer a run has made no progress, the longer until it is tried again. */
    Duration stuckDelay(Instant lastProgress) {
        Duration delay = Duration.between(lastProgress, clock.latest()).dividedBy(2);
        if (delay.compareTo(settings.stuckRetry()) < 0) {
            return settings.stuckRetry();
        }
        return delay.compareTo(settings.stuckRetryAtMost()) > 0 ? settings.stuckRetryAtMost() : delay;
    }

    /** Whether this node or another that lives executes runs of this type. */
    boolean isServed(int shard, String type) {
        Instant dead = clock.earliest().minus(nodeTimeout());
        return code(type) != null
                || persist(() -> store.nodes(shard)).stream()
                        .anyMatch(node ->
                                node.seenAt().isAfter(dead) && node.lanes().contains(Lanes.of(type)));
    }

    /** The builds of this type that live nodes run, this one's among them. */
    Set<String> liveBuilds(int shard, String type) {
        Instant dead = clock.earliest().minus(nodeTimeout());
        Set<String> builds = new HashSet<>();
        builds.add(build);
        for (NodeRow node : persist(() -> store.nodes(shard))) {
            if (node.seenAt().isAfter(dead) && node.lanes().contains(Lanes.of(type))) {
                builds.add(node.build());
            }
        }
        return builds;
    }

    /** A node that was not seen for so long counts as dead. */
    Duration nodeTimeout() {
        return settings.sweepInterval().multipliedBy(SWEEPS_TO_BE_DEAD);
    }
}
