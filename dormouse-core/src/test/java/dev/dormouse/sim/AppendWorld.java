package dev.dormouse.sim;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.QueueOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.sim.PathCounts.Path;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultInjector;
import dev.dormouse.testing.sim.FaultInjector.Fault;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.FaultyStore;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A world of runs that mostly append: many steps, some in transactions, some batched. Nodes die, pause for longer than a
 * lease, and close. Their calls to the store are lost or late. Callers terminate some of the runs while they execute, and
 * read all of them periodically. The seed decides whether there are failovers, queues, messages and very late appends.
 */
final class AppendWorld {
    private static final int RUNS = 5;
    private static final int NODES = 3;
    private static final int STEPS = 25;
    private static final int MOST_TRIES = 100;
    private static final Duration FAULT_PHASE = Duration.ofSeconds(40);
    private static final Duration LONGEST = Duration.ofSeconds(6);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final SimWorld world;
    private final SimDatabase database;
    private final Set<Fault> faults;
    private final FaultProfile profile;
    private final PathCounts counts;
    private final List<SimNode> alive = new ArrayList<>();
    private final Map<SimNode, Dormouse> open = new HashMap<>();
    private final List<FaultyStore> connections = new ArrayList<>();
    private final boolean hasFailovers;
    private final boolean isQueued;
    private final boolean hasMail;
    private final boolean hasSlowAppends;
    private boolean calm;
    private int nodes;

    AppendWorld(long seed, Function<SimWorld, MemoryStore> store, PathCounts counts) {
        this.world = new SimWorld(seed);
        this.database = new SimDatabase(world, store.apply(world));
        this.counts = counts;
        this.hasFailovers = Math.floorMod(seed, 3) == 2;
        this.isQueued = Math.floorMod(seed, 4) == 1;
        this.hasMail = Math.floorMod(seed, 5) >= 3;
        this.hasSlowAppends = Math.floorMod(seed, 7) < 3;
        this.faults = hasFailovers
                ? EnumSet.of(Fault.KILL, Fault.PAUSE, Fault.FAILOVER)
                : EnumSet.of(Fault.KILL, Fault.PAUSE, Fault.OUTAGE, Fault.CLOCK_FORWARDS);
        this.profile = FaultProfile.CALM
                .withUnknown(0.03)
                .withStalls(seed % 2 == 0 ? 0.1 : 0.03)
                .withLocked(0.02)
                .withCrashes(0.002)
                .withBadNotices(0.3, 0.1, Duration.ofMillis(500))
                .lastingUpTo(LONGEST);
    }

    /** Runs until all runs are closed; throws if they do not close or if an invariant is violated. */
    void play() {
        world.run(() -> {
            IntStream.range(0, NODES).forEach(i -> boot());
            FaultInjector injector =
                    new FaultInjector(world, database, () -> alive, faults, Duration.ofSeconds(2), LONGEST);
            injector.begin();
            closeNodes();
            IntStream.range(0, RUNS).forEach(this::callFor);
            world.sleep(FAULT_PHASE);
            injector.stop();
            calm = true;
            connections.forEach(connection -> connection.behave(FaultProfile.CALM));
            world.await(this::isDone, Duration.ofMillis(200), Duration.ofMinutes(15));
            expect(
                    isDone(),
                    "not all runs have ended: "
                            + IntStream.range(0, RUNS)
                                    .mapToObj(run -> database.store().current(0, "wf-" + run))
                                    .toList());
            IntStream.range(0, RUNS).forEach(this::check);
        });
    }

    private boolean isDone() {
        return IntStream.range(0, RUNS)
                .allMatch(run -> database.store()
                        .current(0, "wf-" + run)
                        .filter(row -> row.status().isClosed())
                        .isPresent());
    }

    // ---- nodes

    private void boot() {
        SimNode node = world.newNode("n" + ++nodes);
        alive.add(node);
        node.onKilled(() -> {
            alive.remove(node);
            open.remove(node);
            world.after(Duration.ofMillis(500), this::boot);
        });
        FaultyStore store = connect(node, calm ? FaultProfile.CALM : profile);
        Store slow = hasSlowAppends ? withSlowAppends(node, store) : store;
        node.threads().startEngine("boot", () -> open.put(node, open(node, slow, builder -> code(builder, node))));
    }

    /** Returns a store that sends appends over a separate connection, which often stalls for longer than a lease. */
    private Store withSlowAppends(SimNode node, FaultyStore store) {
        FaultyStore slow = connect(node, calm ? FaultProfile.CALM : profile.withStalls(0.4));
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(method.getName().equals("append") ? slow : store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }

    private FaultyStore connect(SimNode node, FaultProfile behavior) {
        FaultyStore store = database.connect(node, behavior);
        connections.add(store);
        return store;
    }

    private Dormouse open(SimNode node, Store store, Function<DormouseBuilder, DormouseBuilder> setUp) {
        while (true) {
            try {
                DormouseBuilder builder = Dormouse.builder()
                        .leasePeriod(LEASE)
                        .sweepInterval(Duration.ofSeconds(1))
                        .maxParkTime(Duration.ofSeconds(1))
                        .parkGrace(Duration.ofSeconds(1))
                        .closeGrace(Duration.ofSeconds(1))
                        .stuckRetry(Duration.ofSeconds(1), Duration.ofSeconds(5))
                        .maxExecuting(3)
                        .maxTakeovers(5)
                        .keepClosedRuns();
                return ConfigurationAccess.open(setUp.apply(builder), store, node.threads(), node.random());
            } catch (DormouseException away) {
                node.threads().newGate().pass(Duration.ofMillis(500));
            }
        }
    }

    /** Closes random nodes until the world is calm. They release their runs, even while an append is on its way. */
    private void closeNodes() {
        world.after(Duration.ofMillis(world.random().nextInt(8_000)), () -> {
            if (!calm) {
                List<SimNode> candidates =
                        alive.stream().filter(open::containsKey).toList();
                if (!candidates.isEmpty()) {
                    close(candidates.get(world.random().nextInt(candidates.size())));
                }
                closeNodes();
            }
        });
    }

    private void close(SimNode node) {
        Dormouse engine = open.remove(node);
        counts.add(Path.CLOSED_NODE);
        node.threads().startCode("close", () -> {
            engine.close();
            node.kill();
        });
    }

    private DormouseBuilder code(DormouseBuilder builder, SimNode node) {
        return builder.queue("q", QueueOptions.DEFAULT.withMaxTotal(2))
                .workflow("plain", Integer.class, String.class, (ctx, run) -> work(ctx, node, run))
                .workflow(
                        "batched", Durability.BATCHED, Integer.class, String.class, (ctx, run) -> work(ctx, node, run));
    }

    private String work(WorkflowContext ctx, SimNode node, int run) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < STEPS; i++) {
            String name = "s" + i;
            int kind = (run * 7 + i * 5) % 11;
            text.append(ctx.step(name, String.class, () -> execute(ctx, node, name, kind == 3)));
            if (kind == 7) {
                ctx.transaction(
                        "t" + i,
                        ActivityOptions.DEFAULT,
                        connection -> pass(node, world.random().nextInt(60)));
            }
            if (kind == 5) {
                ctx.sleep(Duration.ofMillis(200));
            } else if (kind == 6) {
                ctx.sleep(Duration.ofSeconds(3));
            }
        }
        return text.toString();
    }

    /** Executes a step, and throws if it was committed before. */
    private String execute(WorkflowContext ctx, SimNode node, String name, boolean isLong) {
        UUID runId = ctx.info().runId();
        if (!hasFailovers) {
            for (Event event : events(runId)) {
                expect(
                        !(event instanceof Event.StepCompleted done
                                && done.name().equals(name)),
                        "committed step " + name + " of " + runId + " runs again on " + node);
            }
        }
        world.note(node, "step " + name + " of " + runId);
        pass(node, world.random().nextInt(isLong ? 3_000 : 60));
        return name + " ";
    }

    private static void pass(SimNode node, int millis) {
        node.threads().newGate().pass(Duration.ofMillis(millis));
    }

    private static String expected() {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, STEPS).forEach(i -> text.append('s').append(i).append(' '));
        return text.toString();
    }

    // ---- callers

    private void callFor(int run) {
        SimNode client = world.driver();
        String id = "wf-" + run;
        client.threads().startCode("caller", () -> {
            Dormouse dormouse =
                    open(client, connect(client, profile.withCrashes(0)), DormouseBuilder::anyRemoteWorkflow);
            pass(client, world.random().nextInt(1_000));
            boolean isVictim = world.random().nextInt(3) == 0;
            startOnANode(id, run);
            pass(client, 1_000);
            start(dormouse, client, id, run);
            for (int i = 0; hasMail && i < 10; i++) {
                pass(client, world.random().nextInt(1_500));
                signal(dormouse, id);
            }
            if (isVictim) {
                pass(client, world.random().nextInt(10_000));
                terminate(dormouse, client, id);
            }
            while (hasFailovers && !calm) { // what was lost is started again
                startOnANode(id, run);
                pass(client, 1_000);
                start(dormouse, client, id, run);
            }
        });
        client.threads().startCode("reader", () -> read(client, id));
    }

    private StartOptions options() {
        return isQueued ? StartOptions.DEFAULT.withQueue("q") : StartOptions.DEFAULT;
    }

    /** Starts a run on a node that executes it, if there is one. */
    private void startOnANode(String id, int run) {
        List<SimNode> candidates = alive.stream().filter(open::containsKey).toList();
        if (!candidates.isEmpty()) {
            SimNode node = candidates.get(world.random().nextInt(candidates.size()));
            Dormouse dormouse = open.get(node);
            node.threads().startCode("start", () -> {
                try {
                    dormouse.start(run % 2 == 0 ? "plain" : "batched", id, options(), String.class, run);
                } catch (DormouseException noAnswer) {
                    world.note(node, "start failed");
                }
            });
        }
    }

    private void start(Dormouse dormouse, SimNode client, String id, int run) {
        while (true) {
            try {
                dormouse.start(run % 2 == 0 ? "plain" : "batched", id, options(), String.class, run);
                return;
            } catch (DormouseException noAnswer) {
                pass(client, 500);
            }
        }
    }

    private void signal(Dormouse dormouse, String id) {
        try {
            dormouse.find(id, String.class).ifPresent(handle -> handle.signal("mail"));
        } catch (DormouseException noAnswer) {
            world.note("caller", "no signal");
        }
    }

    private void terminate(Dormouse dormouse, SimNode client, String id) {
        for (int tries = 1; ; tries++) {
            try {
                dormouse.find(id, String.class).ifPresent(run -> run.terminate("victim"));
                if (!hasFailovers) {
                    RunRow row = database.store().current(0, id).orElseThrow();
                    expect(row.status().isClosed(), "terminated, but open: " + row);
                }
                return;
            } catch (DormouseException noAnswer) {
                expect(calm || tries < MOST_TRIES, "cannot be terminated: " + noAnswer);
                pass(client, 100);
            }
        }
    }

    /** Reads a run periodically, and throws if events vanish that were read before. */
    private void read(SimNode client, String id) {
        Dormouse dormouse = open(client, connect(client, FaultProfile.CALM), DormouseBuilder::anyRemoteWorkflow);
        int seen = 0;
        int length = 0;
        while (!isDone()) {
            pass(client, world.random().nextInt(400));
            try {
                Optional<WorkflowHandle<String>> handle = dormouse.find(id, String.class);
                if (handle.isPresent()) {
                    int now = handle.get().history().size();
                    int described = handle.get().describe().historyLength();
                    expect(hasFailovers || now >= seen, "history of " + id + " shrinks from " + seen + " to " + now);
                    expect(hasFailovers || described >= length, "length of " + id + ": " + length + ", " + described);
                    seen = now;
                    length = described;
                }
            } catch (DormouseException problem) {
                boolean isFalseAlarm = problem.code() == ErrorCode.HISTORY_DAMAGED && !hasFailovers;
                expect(!isFalseAlarm, "a sound history is reported as damaged: " + problem);
            }
        }
    }

    // ---- what must hold

    private void check(int run) {
        RunRow row = database.store().current(0, "wf-" + run).orElseThrow();
        List<HistoryRow> rows = database.store().histories(0, List.of(row.runId()));
        List<Event> events = History.exactly(row, rows).events();
        expect(events.size() == History.end(row, rows).events(), "events after the end");
        Event last = events.get(events.size() - 1);
        if (row.status() == RunStatus.COMPLETED) {
            String result = new String(((Event.RunCompleted) last).result().bytes(), StandardCharsets.UTF_8);
            expect(result.contains(expected()), "result of " + row + ": " + result);
        } else {
            expect(
                    row.status() == RunStatus.TERMINATED && last instanceof Event.RunTerminated,
                    "neither complete nor terminated: " + row + " " + last);
        }
        counts.add(row.status() == RunStatus.COMPLETED ? Path.COMPLETED_RUN : Path.TERMINATED_RUN);
    }

    private List<Event> events(UUID runId) {
        return database.store()
                .run(0, runId)
                .map(row -> History.all(row, database.store().histories(0, List.of(runId)))
                        .events())
                .orElse(List.of());
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
