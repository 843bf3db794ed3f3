package dev.dormouse.sim;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultInjector;
import dev.dormouse.testing.sim.FaultInjector.Fault;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.FaultyStore;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Nodes that are opened by the public API on a simulated database, callers that send messages, and everything that can
 * go wrong except a failover that loses commits. Subclasses say what the nodes execute and what must hold.
 */
abstract class ApiWorld {
    static final int RUNS = 4;

    private static final int NODES = 2;
    private static final FaultMix[] FAULT_MIXES = {FaultMix.CALM, FaultMix.SLOW, FaultMix.FLAKY, FaultMix.HOSTILE};
    private static final Duration FAULT_PHASE = Duration.ofSeconds(20);

    final SimWorld world;
    final SimDatabase database;
    final FaultMix faultMix;
    private final List<SimNode> alive = new ArrayList<>();
    private final List<FaultyStore> connections = new ArrayList<>();
    private boolean calm;
    private int nodes;

    ApiWorld(long seed, Function<SimWorld, MemoryStore> store) {
        this.world = new SimWorld(seed);
        this.database = new SimDatabase(world, store.apply(world));
        this.faultMix = FAULT_MIXES[Math.floorMod(seed, FAULT_MIXES.length)];
    }

    /** The code of a node. */
    abstract DormouseBuilder node(DormouseBuilder builder, int number);

    /** Starts a run and sends its messages; called on a thread of its own for each run. */
    abstract void call(Dormouse client, String id);

    /** Throws if anything is wrong with a run, which is closed. */
    abstract void check(RunRow row, List<Event> events);

    /** Called after the last fault. */
    void clearedUp() {}

    /** Runs until all runs are closed; throws if they do not close or if an invariant is violated. */
    final void play() {
        world.run(() -> {
            IntStream.range(0, NODES).forEach(i -> boot());
            FaultInjector injector = faultInjector();
            IntStream.range(0, RUNS).forEach(run -> startCaller("wf-" + run));
            world.sleep(faultMix.isHarmless() ? Duration.ofSeconds(1) : FAULT_PHASE);
            injector.stop();
            calm = true;
            connections.forEach(connection -> connection.behave(FaultProfile.CALM));
            clearedUp();
            world.await(() -> rows().size() == RUNS, Duration.ofMillis(200), Duration.ofMinutes(10));
            expect(rows().size() == RUNS, "not all runs have ended: " + open());
            world.sleep(Duration.ofSeconds(30)); // callers get their answers
            rows().forEach(row -> check(row, events(row)));
        });
    }

    final long traceHash() {
        return world.traceHash();
    }

    private FaultInjector faultInjector() {
        Set<Fault> kinds = faultMix.faults.isEmpty() ? EnumSet.of(Fault.KILL) : faultMix.faults;
        FaultInjector injector =
                new FaultInjector(world, database, () -> alive, kinds, Duration.ofSeconds(3), FaultMix.Limits.LONGEST);
        if (!faultMix.isHarmless()) {
            injector.begin();
        }
        return injector;
    }

    final void boot() {
        int number = ++nodes;
        SimNode node = world.newNode("n" + number);
        alive.add(node);
        node.onKilled(() -> {
            alive.remove(node);
            world.after(Duration.ofMillis(500), this::boot);
        });
        FaultyStore store = connect(node, calm ? FaultProfile.CALM : faultMix.profile);
        node.threads().startEngine("boot", () -> open(node, store, builder -> node(builder, number)));
    }

    private FaultyStore connect(SimNode node, FaultProfile behavior) {
        FaultyStore store = database.connect(node, behavior);
        connections.add(store);
        return store;
    }

    private Dormouse open(SimNode node, FaultyStore store, Function<DormouseBuilder, DormouseBuilder> setUp) {
        while (true) {
            try {
                DormouseBuilder builder = Dormouse.builder()
                        .leasePeriod(faultMix.lease)
                        .sweepInterval(Duration.ofSeconds(2))
                        .maxParkTime(Duration.ofSeconds(1))
                        .parkGrace(Duration.ofSeconds(1))
                        .stuckRetry(Duration.ofSeconds(1), Duration.ofSeconds(20))
                        .maxTakeovers(100_000);
                return ConfigurationAccess.open(setUp.apply(builder), store, node.threads(), node.random());
            } catch (DormouseException away) {
                node.threads().newGate().pass(Duration.ofMillis(500));
            }
        }
    }

    private void startCaller(String id) {
        SimNode client = world.driver();
        client.threads().startCode("caller", () -> {
            FaultyStore store = connect(client, faultMix.profile.withCrashes(0));
            Dormouse dormouse = open(client, store, DormouseBuilder::anyRemoteWorkflow);
            pass(2_000);
            call(dormouse, id);
        });
    }

    /** The calling thread waits for up to this many milliseconds. */
    final void pass(int most) {
        world.sleep(Duration.ofMillis(world.random().nextInt(most)));
    }

    /** Starts a workflow, with retries. */
    final WorkflowHandle<String> start(Dormouse client, String type, String id, StartOptions how, Object input) {
        AtomicReference<WorkflowHandle<String>> started = new AtomicReference<>();
        tryUntilAnswered(code -> false, () -> started.set(client.start(type, id, how, String.class, input)));
        return started.get();
    }

    /** Repeats a call until the store responds; returns true if the call was accepted. */
    final boolean tryUntilAnswered(Predicate<String> wanted, Runnable call) {
        while (true) {
            try {
                call.run();
                return true;
            } catch (DormouseException problem) {
                if (wanted.test(problem.code().label())) {
                    return false;
                }
                world.note("caller", "told " + problem.code());
                world.sleep(Duration.ofMillis(300));
            }
        }
    }

    private List<RunRow> rows() {
        return IntStream.range(0, RUNS)
                .mapToObj(run -> database.store().current(0, "wf-" + run))
                .flatMap(row -> row.stream())
                .filter(row -> row.status().isClosed() && row.status() != RunStatus.CONTINUED)
                .toList();
    }

    private List<String> open() {
        return IntStream.range(0, RUNS)
                .mapToObj(run -> database.store().current(0, "wf-" + run))
                .flatMap(row -> row.stream())
                .filter(row -> !row.status().isClosed())
                .map(RunRow::toString)
                .toList();
    }

    private List<Event> events(RunRow row) {
        return History.read(row, database.store().histories(0, List.of(row.runId())));
    }

    static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
