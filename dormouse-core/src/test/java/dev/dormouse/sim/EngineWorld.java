package dev.dormouse.sim;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.ReplayedCode;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.NextState;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Real nodes (the production engine, replay and alarm clock) on a simulated database, random programs for them to run,
 * everything that can go wrong, and what must hold all the same.
 */
final class EngineWorld {
    private static final String TYPE = "random";
    private static final int RUNS = 4;
    private static final int NODES = 2;
    private static final Duration FAULT_PHASE = Duration.ofSeconds(25);

    /** The number of deaths right after a claim in {@link FaultMix#CRASH_LOOP}: more than the crash loop guard allows a run. */
    private static final int CRASHES_AFTER_CLAIMS = 20;

    private static final int MAX_TAKEOVERS = 5;

    private final SimWorld world;
    private final SimDatabase database;
    private final FaultMix faultMix;
    private final FaultProfile profile;
    private final Set<Fault> faults;
    private final List<SimNode> alive = new ArrayList<>();
    private final List<FaultyStore> connections = new ArrayList<>();
    private final Map<SimNode, Node> engines = new HashMap<>();
    private final Map<String, Integer> executions = new HashMap<>();
    private final Map<UUID, Integer> confirmed = new HashMap<>();
    private final Map<UUID, NextState> lastStates = new HashMap<>();
    private final boolean isBatched;
    private boolean calm;
    private int nodes;
    private int takeovers;
    private int answers;
    private long lateResults;
    private int crashesLeft;

    private EngineWorld(long seed, FaultMix faultMix, Function<SimWorld, MemoryStore> store) {
        this.world = new SimWorld(seed);
        this.database = new SimDatabase(world, store.apply(world));
        this.faultMix = faultMix;
        this.profile = faultMix.profile;
        this.faults = faultMix.faults;
        this.isBatched = world.random().nextBoolean();
        this.crashesLeft = faultMix == FaultMix.CRASH_LOOP ? CRASHES_AFTER_CLAIMS : 0;
    }

    /** Creates the world of a seed, which also selects the fault mix. */
    static EngineWorld of(long seed, Function<SimWorld, MemoryStore> store) {
        FaultMix[] mixes = FaultMix.values();
        return new EngineWorld(seed, mixes[Math.floorMod(seed, mixes.length)], store);
    }

    private static EngineSettings settings(Duration lease) {
        return new EngineSettings(
                lease,
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                Duration.ofSeconds(6),
                5,
                3,
                MAX_TAKEOVERS,
                10_000,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Optional.empty(),
                2,
                Map.of());
    }

    /** Runs until all runs are closed; throws if they do not close or if an invariant is violated. */
    void play() {
        world.run(() -> {
            IntStream.range(0, NODES).forEach(i -> boot());
            FaultInjector injector = faultInjector();
            IntStream.range(0, RUNS).forEach(this::callFor);
            if (hasRandomFaults()) {
                closeNodes();
            }
            world.sleep(faultMix.isHarmless() ? Duration.ofSeconds(1) : FAULT_PHASE);
            injector.stop();
            calm = true;
            connections.forEach(connection -> connection.behave(FaultProfile.CALM));
            world.await(this::isDone, Duration.ofMillis(200), Duration.ofMinutes(5));
            check();
        });
    }

    /** How many results were seen by steps that had begun before those were committed. */
    long lateResults() {
        return lateResults;
    }

    long traceHash() {
        return world.traceHash();
    }

    private FaultInjector faultInjector() {
        Set<Fault> kinds = faults.isEmpty() ? EnumSet.of(Fault.KILL) : faults;
        FaultInjector injector =
                new FaultInjector(world, database, () -> alive, kinds, Duration.ofSeconds(3), FaultMix.Limits.LONGEST);
        if (hasRandomFaults()) {
            injector.begin();
        }
        return injector;
    }

    private boolean hasRandomFaults() {
        return !faults.isEmpty() && faultMix != FaultMix.CRASH_LOOP;
    }

    /** Closes random nodes until the world is calm. They release their runs, even while a commit is on its way. */
    private void closeNodes() {
        world.after(Duration.ofMillis(world.random().nextInt(12_000)), () -> {
            if (!calm) {
                List<SimNode> open = alive.stream().filter(engines::containsKey).toList();
                if (!open.isEmpty()) {
                    close(open.get(world.random().nextInt(open.size())));
                }
                closeNodes();
            }
        });
    }

    private void close(SimNode node) {
        Node engine = engines.remove(node);
        node.threads().startCode("close", () -> {
            engine.close();
            node.kill();
        });
    }

    // ---- nodes

    private void boot() {
        SimNode node = world.newNode("n" + ++nodes);
        alive.add(node);
        node.onKilled(() -> {
            alive.remove(node);
            engines.remove(node);
            world.after(Duration.ofMillis(500), this::boot);
        });
        FaultyStore store = connect(node, calm ? FaultProfile.CALM : profile);
        node.threads().startEngine("boot", () -> engines.put(node, open(node, store)));
    }

    private FaultyStore connect(SimNode node, FaultProfile behavior) {
        FaultyStore store = database.connect(node, behavior);
        connections.add(store);
        return store;
    }

    private Node open(SimNode node, FaultyStore store) {
        RandomProgram program = new RandomProgram((run, step, seen) -> execute(node, run, step, seen));
        boolean takesMail = world.random().nextBoolean();
        Map<String, RunCode> code = Map.of(TYPE, new ReplayedCode(program, node.threads(), takesMail, isBatched));
        return open(node, watched(node, store), code);
    }

    private Node open(SimNode node, Store store, Map<String, RunCode> code) {
        NodeName name = new NodeName(node.name(), "build");
        while (true) {
            try {
                return new Node(store, node.threads(), settings(faultMix.lease), node.random(), name, code).open();
            } catch (DormouseException away) {
                node.threads().newGate().pass(Duration.ofMillis(500));
            }
        }
    }

    /** Checks the calls between a node and the store. */
    private Store watched(SimNode node, FaultyStore store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(store, arguments);
                        watch(node, method.getName(), arguments, answer);
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getTargetException();
                    }
                });
    }

    private void watch(SimNode node, String method, Object[] arguments, Object answer) {
        if (answer instanceof Claimed claimed) {
            claimed.runs().stream()
                    .filter(run -> run.before() == RunStatus.RUNNING || run.before() == RunStatus.PARKED)
                    .forEach(run -> takeovers++);
            if (!calm && crashesLeft > 0 && !claimed.runs().isEmpty()) {
                crashesLeft--;
                node.kill();
            }
        } else if (method.equals("append")) {
            List<?> batch = (List<?>) arguments[1];
            for (int i = 0; i < batch.size(); i++) {
                HistoryAppend append = (HistoryAppend) batch.get(i);
                if (((List<?>) answer).get(i) instanceof CommitOutcome.Committed) {
                    confirmed.merge(
                            append.runId(), append.seq() + append.append().count(), Math::max);
                }
            }
        } else if (method.equals("commit")) {
            List<?> batch = (List<?>) arguments[1];
            for (int i = 0; i < batch.size(); i++) {
                Commit commit = (Commit) batch.get(i);
                expect(
                        faultMix != FaultMix.CRASH_LOOP || commit.next().status() != RunStatus.STUCK,
                        "a run that has done nothing is stuck: " + commit.next().trouble());
                if (((List<?>) answer).get(i) instanceof CommitOutcome.Committed) {
                    int end = commit.fence().nextSeq() + commit.append().count();
                    confirmed.merge(commit.runId(), end, Math::max);
                    lastStates.put(commit.runId(), commit.next());
                }
            }
        }
        if (!faults.contains(Fault.FAILOVER)) {
            confirmed.forEach(this::checkConfirmed);
        }
    }

    private void checkConfirmed(UUID runId, int events) {
        RunRow row = database.store().run(0, runId).orElseThrow();
        int found = row.nextSeq() >= events
                ? row.nextSeq()
                : History.end(row, database.store().histories(0, List.of(runId)))
                        .events();
        expect(found >= events, "a confirmed commit has vanished: " + events + " events of " + row);
        NextState last = lastStates.get(runId);
        if (last != null
                && !faults.contains(Fault.CLOCK_BACK) // leases are shortened then
                && row.status() == RunStatus.PARKED
                && row.lease() == last.lease()
                && row.mail() == row.consumed()) {
            Instant alarm = ((Alarm.At) last.alarm()).instant();
            expect(!row.wakeAt().isBefore(alarm), "the alarm of a parked run was moved: " + row);
        }
    }

    /** A step: takes its time, and must not have been committed before; nor must anything before it be missing. */
    private String execute(SimNode node, Replay run, String step, RandomProgram.Seen seen) {
        String runId = run.run().runId().toString();
        world.note(node, "step " + step + " of " + run.run().workflowId());
        if (!faults.contains(Fault.FAILOVER)) {
            List<Event> committed = events(run.run().runId());
            for (Event event : committed) {
                expect(
                        !(event instanceof Event.StepCompleted done
                                && done.name().equals(step)),
                        "committed step " + step + " of " + run.run().workflowId() + " runs again");
            }
            checkSeen(committed, seen, "before " + step + " of " + run.run().workflowId());
        }
        executions.merge(runId + " " + step, 1, Integer::sum);
        boolean isLong = world.random().nextInt(3) == 0;
        node.threads().newGate().pass(Duration.ofMillis(world.random().nextInt(isLong ? 8_000 : 100)));
        return step + "!";
    }

    /** All that the code had seen when it asked for a step is committed when that begins; results may come later. */
    private void checkSeen(List<Event> committed, RandomProgram.Seen seen, String when) {
        long mail = 0;
        long timers = 0;
        long results = 0;
        for (Event event : committed) {
            if (event instanceof Event.MailReceived received) {
                mail += received.items().stream()
                        .filter(item -> item.kind() == Message.SIGNAL)
                        .map(InboxMessage::key)
                        .distinct()
                        .count();
            }
            timers += event instanceof Event.TimerFired ? 1 : 0;
            results += event instanceof Event.StepCompleted ? 1 : 0;
        }
        expect(mail >= seen.mail(), when + ": " + mail + " of " + seen.mail() + " items of mail are committed");
        expect(timers >= seen.timers(), when + ": " + timers + " of " + seen.timers() + " timers are committed");
        if (isBatched) {
            lateResults += Math.max(0, seen.results() - results);
        } else {
            expect(results >= seen.results(), when + ": " + results + " of " + seen.results() + " results");
        }
    }

    // ---- callers

    /** Starts a run and sends its messages, with retries. */
    private void callFor(int run) {
        SimNode client = world.driver();
        client.threads().startCode("caller", () -> {
            Node caller = open(client, connect(client, profile.withCrashes(0)), Map.of());
            Gate gate = client.threads().newGate();
            gate.pass(Duration.ofMillis(world.random().nextInt(2_000)));
            startSomewhere(run, caller, gate);
            for (int i = 0; i < MAIL_ROUNDS; i++) {
                gate.pass(Duration.ofMillis(world.random().nextInt(4_000)));
                deliver(caller, run, i);
                deliver(caller, run, world.random().nextInt(i + 1));
                if (world.random().nextBoolean()) {
                    ask(caller, run, world.random().nextInt(i + 1));
                }
            }
            while (faults.contains(Fault.FAILOVER)) { // what a failover lost is sent again
                gate.pass(Duration.ofSeconds(5));
                start(caller, run);
                IntStream.range(0, MAIL_ROUNDS).forEach(i -> deliver(caller, run, i));
            }
        });
    }

    private static final int MAIL_ROUNDS = RandomProgram.MAIL;

    /** On one of the nodes, which may die in the middle, or from outside; and again until it is there. */
    private void startSomewhere(int run, Node caller, Gate gate) {
        Optional<SimNode> node = alive.stream().filter(engines::containsKey).findFirst();
        if (node.isPresent() && world.random().nextBoolean()) {
            Node engine = engines.get(node.get());
            node.get().threads().startCode("start", () -> start(engine, run));
            gate.pass(Duration.ofSeconds(2));
        }
        start(caller, run);
    }

    private void start(Node node, int run) {
        try {
            Payload input = RandomProgram.input(programSeed(run));
            node.start(
                    new NewRun("wf-" + run, TYPE, List.of(input), null, null, null, Map.of(), Origin.NONE, Set.of()));
        } catch (DormouseException closed) {
            world.note("caller", "start failed");
        }
    }

    private void deliver(Node caller, int run, int number) {
        Message signal = new Message.Signal("mail", List.of(text(number)));
        caller.deliver(new Delivery("wf-" + run, "k" + number, signal.kind(), MessageCodec.encode(signal)));
    }

    private static Payload text(int number) {
        return new Payload("text", Integer.toString(number).getBytes(StandardCharsets.UTF_8));
    }

    /** Sends an update; its answer, if any, must be correct. */
    private void ask(Node caller, int run, int number) {
        try {
            Message.Update update = new Message.Update("ask", List.of(text(number)));
            Event.UpdateAnswered answer = caller.update("wf-" + run, "u" + number, update, Duration.ofSeconds(20));
            if (answer.failure() == null) {
                String given = new String(answer.result().bytes(), StandardCharsets.UTF_8);
                expect(given.equals("answer " + number), "update " + number + " was answered with " + given);
                answers++;
            }
        } catch (DormouseException noAnswer) {
            world.note("caller", "no answer: " + noAnswer.code());
        }
    }

    private long programSeed(int run) {
        return world.seed() * 100 + run * 10L;
    }

    // ---- what must hold

    private boolean isDone() {
        return IntStream.range(0, RUNS)
                .allMatch(run -> database.store()
                        .current(0, "wf-" + run)
                        .filter(row -> row.status().isClosed() && row.status() != RunStatus.CONTINUED)
                        .isPresent());
    }

    private void check() {
        for (int run = 0; run < RUNS; run++) {
            RunRow row =
                    database.store().current(0, "wf-" + run).orElseThrow(() -> new AssertionError("a run is lost"));
            check(row, RandomProgram.expected(programSeed(run)));
        }
        checkLedger();
        if (faultMix.isHarmless()) {
            expect(takeovers == 0, takeovers + " runs were taken from nodes that live");
            executions.forEach((step, times) -> expect(times == 1, step + " ran " + times + " times without need"));
        }
    }

    /** Each row of a transaction is there once, and with it the step that wrote it. */
    private void checkLedger() {
        List<String> rows = database.store().userRows();
        Set<String> seen = new HashSet<>();
        for (String row : rows) {
            expect(seen.add(row), "a transaction was done twice: " + row);
            String[] words = row.split(" ");
            expect(
                    events(UUID.fromString(words[0])).stream()
                            .anyMatch(event -> event instanceof Event.StepCompleted done
                                    && done.name().equals(words[1])),
                    "a row without its step: " + row);
        }
    }

    private void check(RunRow row, String expected) {
        expect(row.status() == RunStatus.COMPLETED, "not complete: " + row);
        List<Event> events = events(row.runId());
        Event.RunCompleted end = (Event.RunCompleted) events.get(events.size() - 1);
        String result = new String(end.result().bytes(), StandardCharsets.UTF_8);
        if (faults.contains(Fault.FAILOVER)) {
            result = sortedMail(result);
        }
        expect(result.equals(expected), row.workflowId() + " returned " + result + " instead of " + expected);
        checkTimers(row);
    }

    /** Messages that a failover lost and that were sent again may arrive in another order. */
    private static String sortedMail(String result) {
        int split = result.lastIndexOf("; ") + 2;
        String[] mail = result.substring(split).trim().split(" ");
        java.util.Arrays.sort(mail);
        return result.substring(0, split) + String.join(" ", mail) + " ";
    }

    /** No deadline is recorded as passed by a commit that the store accepted before it. */
    private void checkTimers(RunRow row) {
        Map<Integer, Instant> deadlines = new HashMap<>();
        Instant last = Instant.MIN;
        Instant passed = Instant.MIN;
        for (HistoryRow part : database.store().histories(0, List.of(row.runId()))) {
            for (Event event : EventCodec.decode(part.payload())) {
                if (event instanceof Event.TimerScheduled set) {
                    deadlines.put(set.call(), set.deadline());
                } else if (event instanceof Event.TimerFired fired) {
                    Instant deadline = deadlines.get(fired.call());
                    expect(!part.at().isBefore(deadline), "timer of " + deadline + " fired at " + part.at());
                    passed = deadline.isAfter(passed) ? deadline : passed;
                }
                if (event instanceof Event.MailReceived received && !faults.contains(Fault.CLOCK_BACK)) {
                    for (InboxMessage item : received.items()) {
                        expect(!item.acceptedAt().isBefore(passed), "mail lost against a later deadline: " + item);
                    }
                }
                expect(
                        !event.at().isBefore(last),
                        "time runs backwards in " + row.workflowId() + ": " + event + " after " + last);
                last = event.at();
            }
        }
    }

    private List<Event> events(UUID runId) {
        return database.store()
                .run(0, runId)
                .map(row -> History.read(row, database.store().histories(0, List.of(runId))))
                .orElse(List.of());
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
