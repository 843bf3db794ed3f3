package dev.dormouse.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.store.base.Notice;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.FaultyStore;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Production nodes that share one in-memory store under simulated time: hours pass in milliseconds.
 *
 * <pre>{@code
 * SimulatedDormouse.simulate(sim -> {
 *     Dormouse one = sim.open(node -> node.workflow("nap", String.class, String.class, …));
 *     WorkflowHandle<String> handle = one.start("nap", "nap-1", String.class, "x");
 *     sim.advance(Duration.ofHours(1));
 *     sim.kill(one);
 *     …
 * });
 * }</pre>
 *
 * <p>A scenario runs once per seed, each time with a different order of threads. Its code must block only by the methods
 * of this class.
 */
public final class SimulatedDormouse {
    /** The default activity options in a simulation: no retries. */
    public static final ActivityOptions ONCE = ActivityOptions.DEFAULT.withRetry(RetryPolicy.NONE);

    private static final int SEEDS = 3;
    private static final Duration LONG = Duration.ofDays(3);

    private final SimWorld world;
    private final TamperedStore store;
    private final SimDatabase database;
    private final IdentityHashMap<Dormouse, SimNode> nodes = new IdentityHashMap<>();
    private final IdentityHashMap<Dormouse, FaultyStore> connections = new IdentityHashMap<>();
    private final List<String> log = new ArrayList<>();

    private SimulatedDormouse(long seed, int shards) {
        world = new SimWorld(seed);
        store = new TamperedStore(world.storeClock(), shards);
        database = new SimDatabase(world, store);
    }

    public static void simulate(Consumer<SimulatedDormouse> scenario) {
        simulate(1, scenario);
    }

    public static void simulate(int shards, Consumer<SimulatedDormouse> scenario) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimulatedDormouse sim = new SimulatedDormouse(seed, shards);
            sim.world.run(() -> scenario.accept(sim));
        }
    }

    /** Opens another node with its own code and settings. */
    public Dormouse open(UnaryOperator<DormouseBuilder> setUp) {
        return open(FaultProfile.CALM, setUp);
    }

    /** Opens another node whose connection to the store has the given faults. Its retries have no jitter. */
    public Dormouse open(FaultProfile connection, UnaryOperator<DormouseBuilder> setUp) {
        SimNode node = newNode();
        return open(node, node.withoutJitter(), connection, setUp);
    }

    /** Opens another node whose retries have the jitter of their policies. */
    public Dormouse openWithJitter(UnaryOperator<DormouseBuilder> setUp) {
        SimNode node = newNode();
        return open(node, node.random(), FaultProfile.CALM, setUp);
    }

    /** Opens another node without the settings that {@link #open} changes. */
    public Dormouse openPlain(UnaryOperator<DormouseBuilder> setUp) {
        SimNode node = newNode();
        return open(node, node.random(), FaultProfile.CALM, setUp, Dormouse.builder());
    }

    private SimNode newNode() {
        return world.newNode("node-" + (nodes.size() + 1));
    }

    private Dormouse open(
            SimNode node, RandomGenerator random, FaultProfile connection, UnaryOperator<DormouseBuilder> setUp) {
        return open(
                node,
                random,
                connection,
                setUp,
                Dormouse.builder().activityOptions(ONCE).keepClosedRuns());
    }

    private Dormouse open(
            SimNode node,
            RandomGenerator random,
            FaultProfile connection,
            UnaryOperator<DormouseBuilder> setUp,
            DormouseBuilder defaults) {
        DormouseBuilder builder = setUp.apply(defaults);
        FaultyStore connected = database.connect(node, connection);
        Dormouse dormouse = ConfigurationAccess.open(builder, connected, node.threads(), random);
        nodes.put(dormouse, node);
        connections.put(dormouse, connected);
        return dormouse;
    }

    /** Changes the faults of a node's connection to the store. */
    public void behave(Dormouse dormouse, FaultProfile connection) {
        connections.get(dormouse).behave(connection);
    }

    /** Kills a node, as {@code kill -9} does. */
    public void kill(Dormouse dormouse) {
        nodes.get(dormouse).kill();
    }

    /** Fails over to a standby that misses the last {@code lostTransactions} transactions. */
    public void failOver(int lostTransactions) {
        database.failOver(lostTransactions);
    }

    /** Stops all threads of a node, as SIGSTOP does. */
    public void pause(Dormouse dormouse) {
        nodes.get(dormouse).pause();
    }

    /** Continues a paused node, as SIGCONT does. */
    public void resume(Dormouse dormouse) {
        nodes.get(dormouse).resume();
    }

    /** Makes the store unavailable for {@code length}. */
    public void outage(Duration length) {
        database.goAwayFor(length);
    }

    /** Sends a forged notice to all nodes, as every role can that may connect to the database. */
    public void forge(Dormouse by, Notice notice) {
        connections.get(by).notify(List.of(notice));
    }

    /** Returns the number of threads whose names start with {@code name}. */
    public long threads(String name) {
        return world.dump()
                .lines()
                .filter(line -> line.matches("  \\S+/" + name + ".*#\\d+ [A-Z]+.*"))
                .count();
    }

    /** Returns the store, for checks of its rows and for injected damage. */
    public TamperedStore store() {
        return store;
    }

    /** Returns the lines that the scenario logged, in order. */
    public List<String> log() {
        return log;
    }

    public void log(String line) {
        log.add(line);
    }

    /** Returns how often the log contains {@code line}. */
    public long count(String line) {
        return log.stream().filter(line::equals).count();
    }

    /** Returns the time of the store's clock. */
    public Instant now() {
        return world.storeClock().instant();
    }

    /** Moves the store's clock by {@code by}, which may be negative. */
    public void stepClock(Duration by) {
        world.stepStoreClock(by);
    }

    public Duration elapsed() {
        return world.elapsed();
    }

    /** Blocks the calling thread (of the scenario, of workflow code or of a step) for {@code time}. */
    public void advance(Duration time) {
        world.sleep(time);
    }

    public void await(String what, BooleanSupplier condition) {
        if (!world.awaitProgress(condition, Duration.ofMillis(1), Duration.ofSeconds(10))
                && !world.awaitProgress(condition, Duration.ofSeconds(1), LONG)) {
            fail("Expected %s, but it did not happen within %s.", what, LONG);
        }
    }

    /** Runs {@code body}, which may block, on its own thread. */
    public void inBackground(Runnable body) {
        world.driver().threads().startCode("background", body);
    }

    /** Waits for a run's result and returns it, or throws the run's failure. */
    public <R> R result(WorkflowHandle<R> handle) {
        CompletableFuture<R> future = handle.resultAsync();
        await("a result of " + handle.workflowId(), future::isDone);
        try {
            return future.join();
        } catch (CompletionException wrapped) {
            if (wrapped.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw wrapped;
        }
    }

    /** Waits for a run that must fail, and returns its failure. */
    public WorkflowException failure(WorkflowHandle<?> handle) {
        try {
            Object result = result(handle);
            return fail("Expected %s to fail, but it returned %s.", handle.workflowId(), result);
        } catch (WorkflowException failed) {
            return failed;
        }
    }

    public void awaitStatus(WorkflowHandle<?> handle, RunStatus status) {
        await(handle.workflowId() + " to be " + status, () -> handle.describe().status() == status);
    }

    /** Asserts that a node still executes workflows. */
    public void assertStillWorks(Dormouse dormouse) {
        WorkflowHandle<String> handle = dormouse.start("echo", "echo-" + elapsed(), String.class, "still here");
        assertThat(result(handle)).isEqualTo("still here");
    }

    /** Registers the workflow that {@link #assertStillWorks} starts. */
    public static DormouseBuilder echo(DormouseBuilder builder) {
        return builder.workflow("echo", String.class, String.class, (ctx, text) -> {
            ctx.sleep(Duration.ofSeconds(20));
            return ctx.step("echo", String.class, () -> text);
        });
    }

    /** Asserts that an error has the given code and a message of the form {@code [DM…] Expected …, but …}. */
    public static void assertClear(Throwable problem, ErrorCode code) {
        assertThat(problem).isInstanceOf(DormouseException.class);
        assertThat(((DormouseException) problem).code()).isEqualTo(code);
        assertClear(problem.getMessage(), code);
    }

    public static void assertClear(String message, ErrorCode code) {
        assertThat(message).contains("[" + code.label() + "] Expected ").containsPattern("Expected [^\\n]+, but[ :]");
    }
}
