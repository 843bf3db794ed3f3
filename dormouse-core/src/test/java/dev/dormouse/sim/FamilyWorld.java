package dev.dormouse.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.replay.ReplayedCode;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.RunCode;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Real nodes on a simulated database, parents that do not wait for all of their children, children that continue as new, and
 * failovers that lose commits. In the end every workflow id has ended, the outbox is empty, and the children are those that
 * their parents' histories tell of.
 */
final class FamilyWorld {
    private static final int PARENTS = 4;
    private static final int NODES = 2;
    private static final Duration FAULT_PHASE = Duration.ofSeconds(15);
    private static final Duration LONGEST = Duration.ofSeconds(4);

    private static final List<Set<Fault>> FAULT_MIXES = List.of(
            Set.of(), EnumSet.of(Fault.FAILOVER), EnumSet.of(Fault.KILL, Fault.FAILOVER), EnumSet.allOf(Fault.class));

    private final SimWorld world;
    private final SimDatabase database;
    private final Set<Fault> faults;
    private final List<SimNode> alive = new ArrayList<>();
    private final List<FaultyStore> connections = new ArrayList<>();
    private boolean calm;
    private int nodes;
    private int stamps;

    FamilyWorld(long seed, Function<SimWorld, MemoryStore> store) {
        this.world = new SimWorld(seed);
        this.database = new SimDatabase(world, store.apply(world));
        this.faults = FAULT_MIXES.get(Math.floorMod(seed, FAULT_MIXES.size()));
    }

    private static EngineSettings settings() {
        return new EngineSettings(
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                Duration.ofSeconds(6),
                20,
                20,
                100_000,
                10_000,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Optional.empty(),
                2,
                Map.of());
    }

    /** Runs until all workflows have ended; throws if they do not end or if an invariant is violated. */
    void play() {
        world.run(() -> {
            IntStream.range(0, NODES).forEach(i -> boot());
            FaultInjector injector = new FaultInjector(
                    world,
                    database,
                    () -> alive,
                    faults.isEmpty() ? EnumSet.of(Fault.KILL) : faults,
                    Duration.ofSeconds(1),
                    LONGEST);
            if (!faults.isEmpty()) {
                injector.begin();
            }
            startParents();
            world.sleep(FAULT_PHASE);
            injector.stop();
            calm = true;
            connections.forEach(connection -> connection.behave(FaultProfile.CALM));
            world.await(this::isDone, Duration.ofMillis(200), Duration.ofMinutes(3));
            check();
        });
    }

    private void boot() {
        SimNode node = world.newNode("n" + ++nodes);
        alive.add(node);
        node.onKilled(() -> {
            alive.remove(node);
            world.after(Duration.ofMillis(500), this::boot);
        });
        Map<String, RunCode> code = Map.of(
                FamilyProgram.TYPE,
                new ReplayedCode(new FamilyProgram(() -> node.name() + "." + ++stamps), node.threads(), true, false));
        FaultyStore store = connect(node);
        node.threads().startEngine("boot", () -> open(node, store, code));
    }

    private FaultyStore connect(SimNode node) {
        FaultProfile bad = FaultProfile.CALM.withUnknown(0.05);
        FaultyStore store = database.connect(node, calm || faults.isEmpty() ? FaultProfile.CALM : bad);
        connections.add(store);
        return store;
    }

    private static Node open(SimNode node, FaultyStore store, Map<String, RunCode> code) {
        NodeName name = new NodeName(node.name(), "build");
        while (true) {
            try {
                return new Node(store, node.threads(), settings(), node.random(), name, code).open();
            } catch (DormouseException away) {
                node.threads().newGate().pass(Duration.ofMillis(500));
            }
        }
    }

    /** Repeats the start, because a failover may lose it. */
    private void startParents() {
        SimNode client = world.driver();
        client.threads().startCode("caller", () -> {
            Node caller = open(client, connect(client), Map.of());
            while (true) {
                IntStream.range(0, PARENTS).forEach(i -> start(caller, i));
                client.threads().newGate().pass(Duration.ofSeconds(2));
            }
        });
    }

    private void start(Node caller, int number) {
        try {
            List<dev.dormouse.codec.Payload> input = List.of(FamilyProgram.parent(world.seed() * 10 + number));
            caller.start(new NewRun(
                    "p-" + number, FamilyProgram.TYPE, input, null, null, null, Map.of(), Origin.NONE, Set.of()));
        } catch (DormouseException away) {
            world.note("caller", "start failed");
        }
    }

    // ---- what must hold

    private static List<String> ids() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < PARENTS; i++) {
            ids.addAll(List.of("p-" + i, "p-" + i + "-restless", "p-" + i + "-kid"));
        }
        return ids;
    }

    private boolean isDone() {
        return database.store().outbox(0, 1).isEmpty() && ids().stream().allMatch(this::hasEnded);
    }

    private boolean hasEnded(String workflowId) {
        return database.store()
                .current(0, workflowId)
                .filter(row -> row.status().isClosed() && row.status() != RunStatus.CONTINUED)
                .isPresent();
    }

    private void check() {
        expect(database.store().outbox(0, 1).isEmpty(), "the outbox is not empty");
        for (String id : ids()) {
            expect(hasEnded(id), id + " has not ended: " + database.store().current(0, id));
        }
        for (int i = 0; i < PARENTS; i++) {
            RunRow parent = row("p-" + i);
            expect(parent.status() == RunStatus.COMPLETED, "not complete: " + parent);
            expect(row("p-" + i + "-kid").status() == RunStatus.COMPLETED, "not complete: p-" + i + "-kid");
            expect(row("p-" + i + "-restless").status() == RunStatus.TERMINATED, "p-" + i + "-restless");
            for (Event event : events(parent)) {
                if (event instanceof Event.ChildRequested asked) {
                    check(asked);
                }
            }
        }
    }

    /** Checks that the child is the one in its parent's history, with the input from there. */
    private void check(Event.ChildRequested asked) {
        RunRow child = row(asked.workflowId());
        Event.RunStarted started = (Event.RunStarted) events(child).get(0);
        expect(
                started.chain(child.runId()).equals(asked.runId()),
                asked.workflowId() + " is of another timeline than its parent");
        expect(
                FamilyProgram.text(started.input().get(0))
                        .equals(FamilyProgram.text(asked.input().get(0))),
                asked.workflowId() + " has the input of another timeline");
    }

    private RunRow row(String workflowId) {
        return database.store().current(0, workflowId).orElseThrow();
    }

    private List<Event> events(RunRow row) {
        return History.read(row, database.store().histories(0, List.of(row.runId())));
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
