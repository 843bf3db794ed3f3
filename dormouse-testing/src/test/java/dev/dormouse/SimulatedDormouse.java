package dev.dormouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.RunStatus;
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

/**
 * Real nodes on one store in memory, under simulated time: hours pass in milliseconds.
 *
 * <pre>{@code
 * SimulatedDormouse.play(sim -> {
 *     Dormouse one = sim.open(node -> node.workflow("nap", String.class, String.class, …));
 *     WorkflowHandle<String> handle = one.start("nap", "nap-1", String.class, "x");
 *     sim.advance(Duration.ofHours(1));
 *     sim.kill(one);
 *     …
 * });
 * }</pre>
 *
 * <p>A story is played under several seeds, each with an order of threads of its own. Code in it must not block other
 * than by these methods.
 */
public final class SimulatedDormouse {
    /** What steps of stories have that say nothing else: a failure is a failure. */
    static final ActivityOptions ONCE = ActivityOptions.DEFAULT.retry(RetryPolicy.NONE);

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

    static void play(Consumer<SimulatedDormouse> story) {
        play(1, story);
    }

    static void play(int shards, Consumer<SimulatedDormouse> story) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimulatedDormouse sim = new SimulatedDormouse(seed, shards);
            sim.world.run(() -> story.accept(sim));
        }
    }

    /** Opens one more node, with code and settings of its own. */
    Dormouse open(UnaryOperator<DormouseBuilder> setUp) {
        return open(FaultProfile.CALM, setUp);
    }

    /** The same with a connection to the store that misbehaves. */
    Dormouse open(FaultProfile connection, UnaryOperator<DormouseBuilder> setUp) {
        SimNode node = world.newNode("node-" + (nodes.size() + 1));
        DormouseBuilder builder = setUp.apply(Dormouse.builder().activityOptions(ONCE));
        FaultyStore connected = database.connect(node, connection);
        Dormouse dormouse = builder.open(connected, node.threads(), node.random());
        nodes.put(dormouse, node);
        connections.put(dormouse, connected);
        return dormouse;
    }

    /** How a node's connection to the store behaves from now on. */
    void behave(Dormouse dormouse, FaultProfile connection) {
        connections.get(dormouse).behave(connection);
    }

    /** As by {@code kill -9}. */
    void kill(Dormouse dormouse) {
        nodes.get(dormouse).kill();
    }

    /** A standby takes the store's place that misses its latest transactions. */
    void failOver(int lostTransactions) {
        database.failOver(lostTransactions);
    }

    /** As by SIGSTOP. */
    void pause(Dormouse dormouse) {
        nodes.get(dormouse).pause();
    }

    /** As by SIGCONT. */
    void resume(Dormouse dormouse) {
        nodes.get(dormouse).resume();
    }

    /** The store does not answer for a while. */
    void outage(Duration length) {
        database.goAwayFor(length);
    }

    /** Sends a notice to all nodes, as every role can that may connect to the database. */
    void forge(Dormouse by, Notice notice) {
        connections.get(by).notify(List.of(notice));
    }

    /** How many threads there are whose names begin so. */
    long threads(String name) {
        return world.dump()
                .lines()
                .filter(line -> line.matches("  \\S+/" + name + ".*#\\d+ [A-Z]+.*"))
                .count();
    }

    /** What is really stored, and how to damage it. */
    TamperedStore store() {
        return store;
    }

    /** What the code of a story wrote down, in order. */
    List<String> log() {
        return log;
    }

    void log(String line) {
        log.add(line);
    }

    /** How often a line is in the log. */
    long count(String line) {
        return log.stream().filter(line::equals).count();
    }

    /** What the store's clock shows. */
    Instant now() {
        return world.storeClock().instant();
    }

    /** Sets the store's clock. */
    void stepClock(Duration by) {
        world.stepStoreClock(by);
    }

    Duration elapsed() {
        return world.elapsed();
    }

    /** The calling thread, of the story or of workflow code or a step, takes so long. */
    void advance(Duration time) {
        world.sleep(time);
    }

    void await(String what, BooleanSupplier condition) {
        if (!world.await(condition, Duration.ofMillis(1), Duration.ofSeconds(10))
                && !world.await(condition, Duration.ofSeconds(1), LONG)) {
            fail("Expected %s, but it did not happen within %s.", what, LONG);
        }
    }

    /** Starts something that blocks on a thread of its own. */
    void inBackground(Runnable body) {
        world.driver().threads().startCode("background", body);
    }

    /** Waits for a run's result; throws what it came to. */
    <R> R result(WorkflowHandle<R> handle) {
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

    /** Waits for a run that ends without a result. */
    WorkflowException failure(WorkflowHandle<?> handle) {
        try {
            Object result = result(handle);
            return fail("Expected %s to fail, but it returned %s.", handle.workflowId(), result);
        } catch (WorkflowException failed) {
            return failed;
        }
    }

    void awaitStatus(WorkflowHandle<?> handle, RunStatus status) {
        await(handle.workflowId() + " to be " + status, () -> handle.describe().status() == status);
    }

    /** Shows that a node still does what it should. */
    void assertStillWorks(Dormouse dormouse) {
        WorkflowHandle<String> handle = dormouse.start("echo", "echo-" + elapsed(), String.class, "still here");
        assertThat(result(handle)).isEqualTo("still here");
    }

    /** The workflow that {@link #assertStillWorks} uses. */
    static DormouseBuilder echo(DormouseBuilder builder) {
        return builder.workflow("echo", String.class, String.class, (ctx, text) -> {
            ctx.sleep(Duration.ofSeconds(20));
            return ctx.step("echo", String.class, () -> text);
        });
    }

    /** A clear error: its code, a sentence of the form that all have, and what to do. */
    public static void assertClear(Throwable problem, ErrorCode code) {
        assertThat(problem).isInstanceOf(DormouseException.class);
        assertThat(((DormouseException) problem).code()).isEqualTo(code);
        assertClear(problem.getMessage(), code);
    }

    public static void assertClear(String message, ErrorCode code) {
        assertThat(message).contains("[" + code.label() + "] Expected ").containsPattern("Expected [^\\n]+, but[ :]");
    }
}
