package dev.dormouse.testing.sim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.testing.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Several {@link ToyNode}s, their messages, and the invariants of the result. */
final class ToyCluster {
    private static final int RUNS = 3;
    private static final int NODES = 2;
    private static final byte[] NOTHING = {};

    private final SimWorld world;
    private final SimDatabase database;
    private final FaultProfile profile;
    private final List<SimNode> alive = new ArrayList<>();
    private int nodes;
    private int takeovers;

    ToyCluster(long seed, FaultProfile profile, Function<SimWorld, MemoryStore> store) {
        this.world = new SimWorld(seed);
        this.database = new SimDatabase(world, store.apply(world));
        this.profile = profile;
    }

    SimWorld world() {
        return world;
    }

    int takeovers() {
        return takeovers;
    }

    /** Runs until all runs are closed; throws if an invariant is violated. */
    ToyCluster play(Set<FaultInjector.Fault> faults) {
        world.run(() -> {
            IntStream.range(0, NODES).forEach(i -> boot());
            if (!faults.isEmpty()) {
                Duration longest = ToyNode.LEASE.multipliedBy(3);
                new FaultInjector(world, database, () -> alive, faults, Duration.ofSeconds(1), longest).begin();
            }
            IntStream.range(0, RUNS).forEach(this::sendTo);
            world.await(this::isDone, Duration.ofMillis(100), Duration.ofMinutes(10));
            rows().forEach(this::check);
        });
        return this;
    }

    private void boot() {
        SimNode node = world.newNode("n" + ++nodes);
        alive.add(node);
        node.onKilled(() -> {
            alive.remove(node);
            world.after(Duration.ofMillis(500), this::boot);
        });
        new ToyNode(node, database.connect(node, profile), () -> takeovers++);
    }

    private void sendTo(int run) {
        SimNode client = world.driver();
        Store store = database.connect(client, profile.withCrashes(0));
        client.threads().startCode("client", () -> {
            start(store, "wf-" + run);
            Gate gate = client.threads().newGate();
            for (int i = 0; i < ToyNode.MAIL; i++) {
                gate.pass(Duration.ofMillis(world.random().nextInt(200)));
                deliver(store, new Delivery("wf-" + run, "k" + i, 0, NOTHING));
                int again = world.random().nextInt(i + 1);
                deliver(store, new Delivery("wf-" + run, "k" + again, 0, NOTHING));
            }
        });
    }

    private void start(Store store, String workflowId) {
        UUID runId = new UUID(world.random().nextLong(), world.random().nextLong());
        NextState next = NextState.pending(Alarm.NOW, WakeReason.START);
        Append first = new Append(1, NOTHING, 1);
        Start start = new Start(workflowId, runId, "Toy", ToyNode.LANE, "", next, first, Set.of());
        StartOutcome outcome = store.start(0, List.of(start)).get(0);
        while (outcome instanceof StartOutcome.Unknown || outcome instanceof StartOutcome.Locked) {
            outcome = store.start(0, List.of(start)).get(0);
        }
    }

    private static void deliver(Store store, Delivery delivery) {
        DeliverOutcome outcome =
                store.deliver(0, List.of(delivery), ToyNode.LEASE).get(0);
        while (outcome instanceof DeliverOutcome.Unknown || outcome instanceof DeliverOutcome.Locked) {
            outcome = store.deliver(0, List.of(delivery), ToyNode.LEASE).get(0);
        }
    }

    private List<RunRow> rows() {
        return IntStream.range(0, RUNS)
                .mapToObj(run -> database.store().current(0, "wf-" + run))
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean isDone() {
        List<RunRow> rows = rows();
        return rows.size() == RUNS && rows.stream().allMatch(row -> row.status().isClosed());
    }

    private void check(RunRow row) {
        expect(row.status() == RunStatus.COMPLETED, row + " is not complete");
        List<HistoryRow> history = database.store().histories(0, List.of(row.runId()));
        expect(
                history.size() == 2 * ToyNode.MAIL + 1 && row.nextSeq() == history.size(),
                row + " has " + history.size());
        Set<String> mail = new HashSet<>();
        for (int seq = 1; seq < history.size(); seq++) {
            HistoryRow event = history.get(seq);
            String text = new String(event.payload(), StandardCharsets.UTF_8);
            expect(event.seq() == seq, "history has a gap before " + event);
            if (seq % 2 == 1) {
                expect(text.startsWith("mail ") && mail.add(text), "mail came twice: " + text);
            } else {
                Instant deadline = history.get(seq - 1).at().plus(ToyNode.NAP);
                expect(text.equals("woke " + deadline), "it slept until something else: " + text);
                expect(!event.at().isBefore(deadline), "it woke too early: " + text);
            }
        }
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
