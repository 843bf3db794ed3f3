package dev.dormouse.engine;

import dev.dormouse.history.Event;
import dev.dormouse.store.NodeRow;
import dev.dormouse.store.NodeState;
import dev.dormouse.store.Notice;
import dev.dormouse.store.Store;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one node and how they are wired: the context at the bottom, then the runs in memory, the commands, and the
 * loops that start runs. Runs and commands reach the loops through this object alone, as their {@link RunHost}; each part
 * gets only what it uses.
 *
 * <p>All fields are set by the constructor. It hands itself to parts before it is complete, which call it only after
 * {@link #open}.
 */
final class NodeParts implements RunHost {
    final StoreWatch storeWatch;
    final NodeContext context;
    final ServedCode served;
    final RunTable table;
    final Results results;
    final Watchers watchers = new Watchers();
    final Answers answers = new Answers();
    final DeafCode deafCode = new DeafCode();
    final UnservedLanes unserved;
    final Starter starter;
    final Mailman mailman;
    final Terminator terminator;
    final Resetter resetter;
    final IdleRuns idle;
    final Updates updates;
    final Queries queries;
    final QueueLoop queues;
    final AlarmLoop alarms;
    final RenewLoop renewals;
    final ResultWatch resultWatch;
    final Questions questions;
    private final Counters counters = new Counters();
    private final PausedHere paused;
    private final ProgressNotes progress;
    private final FailoverRecovery recovery;
    private final OutboxLoop outbox;
    private final NoteLoop notes;
    private final FlushLoop flushes;
    private final TallyLoop tallies;
    private final @Nullable PurgeLoop purge;
    private final AtomicBoolean queuesStarted = new AtomicBoolean();

    NodeParts(
            Store plainStore,
            Threads threads,
            EngineSettings settings,
            RandomGenerator random,
            NodeName name,
            Map<String, RunCode> code,
            List<? extends EngineMonitor> monitors) {
        storeWatch = new StoreWatch(threads);
        Store store = storeWatch.over(plainStore);
        StoreClock clock = new StoreClock(threads);
        NodeNames names = new NodeNames(store);
        table = new RunTable(settings.maxExecuting(), settings.maxParked());
        tallies = new TallyLoop(store, threads, clock, name.nodeId(), counters, () -> state(name, settings));
        LeaseLog leases = new LeaseLog(threads, names, name.nodeId(), settings.leasePeriod());
        Witness witness = new Witness(monitors, counters, tallies::changed, clock, threads, leases);
        context = new NodeContext(store, threads, settings, name, names, clock, new Ids(random), witness);

        served = new ServedCode(code);
        results = new Results(threads);
        progress = new ProgressNotes(threads.newGate());
        paused = new PausedHere(context, this, table);
        CrashLoopGuard crashLoops = new CrashLoopGuard(
                threads, context.ids(), settings, context.guard().renewPeriod());
        RunParts runParts = new RunParts(context, this, table, crashLoops, deafCode, paused, progress);
        RunLauncher launcher = new RunLauncher(runParts, served);

        unserved = new UnservedLanes(context, served, this::servesQueueLane);
        starter = new Starter(context, this, table, served, launcher, unserved);
        mailman = new Mailman(context, this, table);
        terminator = new Terminator(context, this, table, starter);
        resetter = new Resetter(context, this, starter, terminator);
        idle = new IdleRuns(context, this, terminator);
        updates = new Updates(context, table, answers, mailman);
        queries = new Queries(context, served, deafCode);

        queues = new QueueLoop(context, this, table, served, launcher, settings.queues());
        recovery = new FailoverRecovery(context, this, table, served, launcher, queues);
        notes = new NoteLoop(context, progress);
        flushes = new FlushLoop(context, table);
        questions = new Questions(context, served, deafCode);
        outbox = new OutboxLoop(context, new Errands(context, this, starter, mailman, terminator));
        alarms = new AlarmLoop(
                context,
                table,
                served,
                unserved,
                queues,
                recovery,
                paused,
                launcher,
                () -> state(name, settings),
                outbox::wake);
        renewals = new RenewLoop(context, table, recovery, crashLoops);
        resultWatch = new ResultWatch(context, results);
        purge = settings.retention().map(age -> new PurgeLoop(context, age)).orElse(null);
    }

    /** Returns what this node says of itself. */
    private NodeState state(NodeName name, EngineSettings settings) {
        return new NodeState(
                name.display(),
                table.executing(),
                table.parked(),
                settings.maxExecuting(),
                settings.leasePeriod(),
                counters.takeovers());
    }

    // ---- its life

    /** Looks at the store for the first time, then starts all loops. */
    void open() {
        alarms.open();
        storeWatch.begin(context.witness());
        start("alarm", alarms);
        start("renew", renewals);
        start("outbox", outbox);
        start("watch", resultWatch);
        start("notes", notes);
        start("tally", tallies);
        if (served.hasBatched()) {
            start("flush", flushes);
        }
        if (!context.settings().queues().isEmpty()) {
            startQueues();
        }
        if (!context.store().isExclusive()) {
            start("questions", questions);
        }
        if (purge != null) {
            start("purge", purge);
        }
    }

    /** Starts the loop of queues unless it runs. */
    void startQueues() {
        if (queuesStarted.compareAndSet(false, true)) {
            start("queues", queues);
        }
    }

    private void start(String name, Runnable loop) {
        Threads threads = context.threads();
        threads.startEngine(name, new Supervised(threads, name, loop));
    }

    /** Lets all runs leave, then stops all loops and writers. */
    void close() {
        alarms.close();
        queues.close();
        new Departure(context, table, paused, storeWatch).letRunsLeave();
        renewals.close();
        outbox.close();
        notes.close();
        flushes.close();
        tallies.close();
        resultWatch.close();
        questions.close();
        if (purge != null) {
            purge.close();
        }
        closeContext();
    }

    /** Stops the writers of a node whose loops were not started, or were stopped before. */
    void closeContext() {
        storeWatch.close();
        context.close();
        results.close();
    }

    // ---- for runs and commands

    @Override
    public void arm(String lane, Instant alarm) {
        if (Lanes.queueOf(lane).isEmpty()) {
            alarms.arm(alarm);
        } else {
            queues.arm(alarm);
        }
    }

    @Override
    public void sweepNow() {
        alarms.sweepNow();
    }

    @Override
    public void outboxFilled() {
        outbox.wake();
    }

    @Override
    public void resultsDeferred() {
        flushes.want();
    }

    @Override
    public void answered(UUID runId, List<Event> events) {
        boolean any = false;
        for (Event event : events) {
            if (event instanceof Event.UpdateAnswered answer) {
                answers.told(runId, answer);
                any = true;
            }
        }
        if (any && watchers.contains(runId)) {
            context.store().notify(List.of(new Notice.Closed(runId)));
        }
    }

    @Override
    public void closed(UUID runId, Event closing) {
        table.remove(runId);
        results.closed(runId, closing);
        answers.look(runId);
        progress.closed(runId);
        if (watchers.remove(runId)) {
            context.store().notify(List.of(new Notice.Closed(runId)));
        }
    }

    @Override
    public void left(UUID runId, int shard, String lane) {
        watchElsewhere(runId, shard);
        queues.left(lane);
    }

    /** Watches the end of a run that callers here wait for and that is not in this node's memory. */
    void watchElsewhere(UUID runId, int shard) {
        if (!context.store().isExclusive() && results.isAwaited(runId)) {
            resultWatch.watch(runId, shard);
        }
    }

    @Override
    public void lost(int shard, UUID runId, Set<Long> leases) {
        recovery.lost(runId, shard, leases);
    }

    @Override
    public void fenced(int shard, UUID runId, Set<Long> leases) {
        recovery.fenced(shard, runId, leases);
    }

    @Override
    public boolean serves(String type, String lane) {
        return Lanes.queueOf(lane).isEmpty() ? served.code(type) != null : queues.serves(lane);
    }

    private boolean servesQueueLane(String lane) {
        return queues.serves(lane);
    }

    @Override
    public boolean isServed(int shard, String type) {
        return served.code(type) != null || living(shard, type).findAny().isPresent();
    }

    @Override
    public Set<String> liveBuilds(int shard, String type) {
        Set<String> builds = new HashSet<>();
        builds.add(context.build());
        living(shard, type).map(NodeRow::build).forEach(builds::add);
        return builds;
    }

    /** Returns the living nodes that execute runs of this type, this one perhaps among them. */
    private Stream<NodeRow> living(int shard, String type) {
        Instant dead = context.clock().earliest().minus(context.nodeTimeout());
        String lane = Lanes.of(type);
        return context.persist(() -> context.store().nodes(shard)).stream()
                .filter(node -> node.seenAt().isAfter(dead) && node.lanes().contains(lane));
    }
}
