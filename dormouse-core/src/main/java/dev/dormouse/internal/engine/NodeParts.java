package dev.dormouse.internal.engine;

import dev.dormouse.inspect.Monitor;
import dev.dormouse.internal.engine.command.CallTimer;
import dev.dormouse.internal.engine.command.IdleRuns;
import dev.dormouse.internal.engine.command.MessageSender;
import dev.dormouse.internal.engine.command.OutboxCommands;
import dev.dormouse.internal.engine.command.PendingUpdates;
import dev.dormouse.internal.engine.command.QueryCalls;
import dev.dormouse.internal.engine.command.RemoteWatchers;
import dev.dormouse.internal.engine.command.Resetter;
import dev.dormouse.internal.engine.command.RunResults;
import dev.dormouse.internal.engine.command.Starter;
import dev.dormouse.internal.engine.command.Terminator;
import dev.dormouse.internal.engine.command.UnservedLanes;
import dev.dormouse.internal.engine.command.UpdateAnswers;
import dev.dormouse.internal.engine.command.UpdateCalls;
import dev.dormouse.internal.engine.command.UpdateWithStart;
import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.engine.loop.AlarmLoop;
import dev.dormouse.internal.engine.loop.DeferredResultLoop;
import dev.dormouse.internal.engine.loop.FailoverRecovery;
import dev.dormouse.internal.engine.loop.OutboxLoop;
import dev.dormouse.internal.engine.loop.ProgressLoop;
import dev.dormouse.internal.engine.loop.PurgeLoop;
import dev.dormouse.internal.engine.loop.QueueLoop;
import dev.dormouse.internal.engine.loop.RemoteQueryLoop;
import dev.dormouse.internal.engine.loop.RemoteResultLoop;
import dev.dormouse.internal.engine.loop.RenewLoop;
import dev.dormouse.internal.engine.loop.TallyLoop;
import dev.dormouse.internal.engine.observe.Counters;
import dev.dormouse.internal.engine.observe.LeaseLog;
import dev.dormouse.internal.engine.observe.NodeNames;
import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.internal.engine.observe.Telemetry;
import dev.dormouse.internal.engine.run.CrashLoopGuard;
import dev.dormouse.internal.engine.run.LocalPauses;
import dev.dormouse.internal.engine.run.ProgressNotes;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunLauncher;
import dev.dormouse.internal.engine.run.RunParts;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.engine.run.UnresponsiveCode;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.base.Notice;
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
 * The parts of one node and their wiring: the context at the bottom, then the runs in memory, the commands, and the
 * loops that start runs. Runs and commands reach the loops only through this object, as their {@link RunHost}. Each
 * part gets only what it uses.
 *
 * <p>The constructor sets all fields. It passes itself to parts before it is complete; they call it only after {@link
 * #open}. Thread-safe after that, because the fields are final and the parts are thread-safe. {@link #open} and {@link
 * #close} are called once, by {@link Node}.
 */
final class NodeParts implements RunHost {
    final StoreWatch storeWatch;
    final NodeContext context;
    final ServedCode served;
    final RunTable table;
    final RunResults results;
    final RemoteWatchers watchers = new RemoteWatchers();
    final UpdateAnswers answers = new UpdateAnswers();
    final UnresponsiveCode unresponsive = new UnresponsiveCode();
    final UnservedLanes unserved;
    final Starter starter;
    final MessageSender sender;
    final Terminator terminator;
    final Resetter resetter;
    final IdleRuns idle;
    final UpdateCalls updates;
    final UpdateWithStart updateWithStart;
    final PendingUpdates pendingUpdates;
    final CallTimer timer;
    final QueryCalls queries;
    final QueueLoop queues;
    final AlarmLoop alarms;
    final RenewLoop renewals;
    final RemoteResultLoop resultWatch;
    final RemoteQueryLoop remoteQueries;
    private final Counters counters = new Counters();
    private final LocalPauses localPauses;
    private final ProgressNotes progress;
    private final FailoverRecovery recovery;
    private final OutboxLoop outbox;
    private final ProgressLoop notes;
    private final DeferredResultLoop flushes;
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
            List<? extends Monitor> monitors) {
        storeWatch = new StoreWatch(threads);
        Store store = storeWatch.over(plainStore);
        StoreClock clock = new StoreClock(threads);
        NodeNames names = new NodeNames(store);
        table = new RunTable(settings.maxExecuting(), settings.maxParked());
        tallies = new TallyLoop(store, threads, clock, name.nodeId(), counters, () -> state(name, settings));
        LeaseLog leases = new LeaseLog(threads, names, name.nodeId(), settings.leasePeriod());
        Telemetry telemetry = new Telemetry(monitors, counters, tallies::changed, clock, threads, leases);
        context = new NodeContext(store, threads, settings, name, names, clock, new IdGenerator(random), telemetry);

        served = new ServedCode(code);
        results = new RunResults(threads);
        progress = new ProgressNotes(threads.newGate());
        localPauses = new LocalPauses(context, this, table);
        CrashLoopGuard crashLoops = new CrashLoopGuard(
                threads, context.ids(), settings, context.guard().renewPeriod());
        RunParts runParts = new RunParts(context, this, table, crashLoops, unresponsive, localPauses, progress);
        RunLauncher launcher = new RunLauncher(runParts, served);

        unserved = new UnservedLanes(context, served, this::servesQueueLane);
        starter = new Starter(context, this, table, served, launcher, unserved);
        sender = new MessageSender(context, this, table);
        terminator = new Terminator(context, this, table, starter);
        resetter = new Resetter(context, this, starter, terminator);
        idle = new IdleRuns(context, this, terminator);
        updates = new UpdateCalls(context, table, answers, sender);
        updateWithStart = new UpdateWithStart(context, starter, updates);
        timer = new CallTimer(threads);
        pendingUpdates = new PendingUpdates(context, updates, answers, sender, timer);
        queries = new QueryCalls(context, served, unresponsive);

        queues = new QueueLoop(context, this, table, served, launcher, settings.queues());
        recovery = new FailoverRecovery(context, this, table, served, launcher, queues);
        notes = new ProgressLoop(context, progress);
        flushes = new DeferredResultLoop(threads, table);
        remoteQueries = new RemoteQueryLoop(context, served, unresponsive);
        outbox = new OutboxLoop(context, new OutboxCommands(context, this, starter, sender, terminator));
        alarms = new AlarmLoop(
                context,
                table,
                served,
                unserved,
                queues,
                recovery,
                localPauses,
                launcher,
                () -> state(name, settings),
                outbox::request);
        renewals = new RenewLoop(context, table, recovery, crashLoops);
        resultWatch = new RemoteResultLoop(context, results);
        purge = settings.retention().map(age -> new PurgeLoop(context, age)).orElse(null);
    }

    /** Returns the state that this node publishes about itself. */
    private NodeState state(NodeName name, EngineSettings settings) {
        return new NodeState(
                name.display(),
                table.executing(),
                table.parked(),
                settings.maxExecuting(),
                settings.leasePeriod(),
                counters.takeovers());
    }

    // ---- life cycle

    /** Sweeps the store for the first time, before any loop runs. */
    void lookFirst() {
        alarms.open();
    }

    /** Starts all loops. */
    void open() {
        storeWatch.begin(context.telemetry());
        alarms.start("alarm");
        renewals.start("renew");
        outbox.start("outbox");
        resultWatch.start("watch");
        notes.start("notes");
        tallies.start("tally");
        if (served.hasBatched()) {
            flushes.start("flush");
        }
        if (!context.settings().queues().isEmpty()) {
            startQueues();
        }
        if (!context.store().isExclusive()) {
            remoteQueries.start("queries");
        }
        if (purge != null) {
            purge.start("purge");
        }
    }

    /** Starts the queue loop unless it was started before. */
    void startQueues() {
        if (queuesStarted.compareAndSet(false, true)) {
            queues.start("queues");
        }
    }

    /** Stops claiming, releases all runs, then stops the other loops and the writers. */
    void close() {
        alarms.close();
        queues.close();
        new GracefulShutdown(context, table, localPauses, storeWatch).releaseRuns();
        renewals.close();
        outbox.close();
        notes.close();
        flushes.close();
        tallies.close();
        resultWatch.close();
        remoteQueries.close();
        if (purge != null) {
            purge.close();
        }
        closeContext();
    }

    /**
     * Stops the store watch and the writers, and cancels waits for results and updates. The loops were not started, or
     * were stopped before.
     */
    void closeContext() {
        storeWatch.close();
        timer.close();
        context.close();
        results.close();
        pendingUpdates.close();
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
        outbox.request();
    }

    @Override
    public void resultsDeferred() {
        flushes.request();
    }

    @Override
    public void answered(UUID runId, List<Event> events) {
        boolean any = false;
        for (Event event : events) {
            if (event instanceof Event.UpdateAnswered answer) {
                answers.answered(runId, answer);
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

    /** Watches a run that callers on this node wait for and that is not in this node's memory. */
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

    /** Returns the living nodes that execute runs of this type. This node may be one of them. */
    private Stream<NodeRow> living(int shard, String type) {
        Instant dead = context.clock().earliest().minus(context.nodeTimeout());
        String lane = Lanes.of(type);
        return context.persist(() -> context.store().nodes(shard)).stream()
                .filter(node -> node.seenAt().isAfter(dead) && node.lanes().contains(lane));
    }
}
