package dev.dormouse.testing.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A world of nodes under one simulated time. The seed decides everything: the same seed gives the same order of events
 * to the last detail ({@link #traceHash()}).
 *
 * <pre>{@code
 * SimWorld world = new SimWorld(seed);
 * world.run(() -> {                              // the driver: a thread on a node that never fails
 *     SimNode node = world.newNode("n1");
 *     Engine engine = new Engine(node.threads(), new FaultyStore(node, store, profile), node.random(), …);
 *     world.sleep(Duration.ofMinutes(5));
 *     node.kill();
 * });                                            // the world ends with the driver, and all that runs is unwound
 * }</pre>
 *
 * <p>{@code run} throws if the driver or any other thread throws, in a deadlock, and in a loop in which no time passes;
 * the message contains the seed.
 *
 * <p>Not thread-safe: call it only from threads of the world, of which one runs at a time.
 */
public final class SimWorld {
    /** The simulated time at which a world begins. */
    public static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final double LARGEST_DRIFT = 0.01;

    private final long seed;
    private final Random random;
    private final SimScheduler scheduler;
    private final SimNode driver;
    private final Instant beginning;
    private @Nullable SimNode caller;
    private boolean stepsOutside;
    private Duration storeClockOffset = Duration.ZERO;

    public SimWorld(long seed) {
        this(seed, BEGINNING, PATIENCE);
    }

    /** @param patience the maximum real time that a thread may run without reaching a gate or a store call */
    public SimWorld(long seed, Instant beginning, Duration patience) {
        this.seed = seed;
        this.beginning = beginning;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        this.scheduler = new SimScheduler(new Random(random.nextLong()), patience);
        this.driver = new SimNode(this, "driver", new Random(random.nextLong()), 0, 1);
    }

    public long seed() {
        return seed;
    }

    /** Returns the random source for injected faults. */
    public Random random() {
        return random;
    }

    /** Creates a node whose clock has a random origin and drifts slightly. */
    public SimNode newNode(String name) {
        double drift = (random.nextDouble() * 2 - 1) * LARGEST_DRIFT;
        return new SimNode(this, name, new Random(random.nextLong()), random.nextLong() >> 2, 1 + drift);
    }

    /** Creates a node whose clock is exact. */
    public SimNode newExactNode(String name) {
        return new SimNode(this, name, new Random(random.nextLong()), 0, 1);
    }

    /** Returns the driver's node, for threads that no fault affects. */
    public SimNode driver() {
        return driver;
    }

    /** Runs the driver, and with it the world, to the end. */
    public void run(Runnable body) {
        scheduler.start(driver, "main", false, () -> {
            body.run();
            scheduler.end();
        });
        throwIfFailed(scheduler.run());
    }

    private void throwIfFailed(@Nullable Throwable failure) {
        if (failure != null) {
            throw new AssertionError(
                    "Expected the world of seed " + seed + " to end well, but after " + elapsed() + ": " + failure
                            + "\n" + scheduler.trace,
                    failure);
        }
    }

    /**
     * Makes the calling thread the driver, until it {@link #leave leaves}.
     *
     * @param isHopeful asked when all threads wait, and the caller without a limit: returns true if letting time pass
     *     can still help
     * @param lost creates the error for the caller if it cannot
     */
    public void enter(BooleanSupplier isHopeful, Supplier<RuntimeException> lost) {
        scheduler.enter(driver, "test", new ExternalThread.Hope() {
            @Override
            public boolean isLeft() {
                return isHopeful.getAsBoolean();
            }

            @Override
            public RuntimeException lost() {
                return lost.get();
            }
        });
    }

    /** Throws unless the calling thread is the one that has entered. */
    public void checkExternalThread() {
        scheduler.checkExternalThread();
    }

    /** Makes the calling thread replace the one that has entered, which must not act meanwhile. */
    public void replaceExternalThread() {
        scheduler.replaceExternalThread();
    }

    /**
     * Ends the world that the caller has entered. Throws the failure of the world, unless the caller has seen it
     * already.
     */
    public void leave() {
        throwIfFailed(scheduler.leave());
    }

    /** Makes the calling thread sleep until everything due up to then has happened. */
    public void pass(Duration time) {
        scheduler.sleep(time);
    }

    /** Makes the calling thread sleep, as {@link #pass} does, and lets time pass although threads are outside. */
    public void passWhileBlocked(Duration time) {
        scheduler.sleepWhileBlocked(time);
    }

    /**
     * Executes {@code body}, which may block for real, on the calling thread. Other threads run meanwhile, and time
     * stands still.
     */
    public <T extends @Nullable Object> T outside(Callable<T> body) throws Exception {
        return scheduler.outside(body);
    }

    /** Makes all steps run {@link #outside} of this world. */
    public void runStepsOutside() {
        stepsOutside = true;
    }

    boolean areStepsOutside() {
        return stepsOutside;
    }

    /** Executes {@code body} on a new thread that no fault affects. Returns a future that threads of the world can join. */
    public <T extends @Nullable Object> CompletableFuture<T> async(Callable<T> body) {
        CompletableFuture<T> future = driver.threads().newFuture();
        driver.threads().startCode("async", () -> {
            try {
                future.complete(body.call());
            } catch (Exception | LinkageError | AssertionError problem) {
                future.completeExceptionally(problem);
            }
        });
        return future;
    }

    /** Makes the calling thread sleep while others run. */
    public void sleep(Duration time) {
        driver.threads().newGate().pass(time);
    }

    /**
     * Waits until {@code condition} holds, checking every {@code interval}, for at most {@code atMost}. Returns true if
     * it holds.
     */
    public boolean await(BooleanSupplier condition, Duration interval, Duration atMost) {
        Duration end = elapsed().plus(atMost);
        while (!condition.getAsBoolean() && elapsed().compareTo(end) < 0) {
            sleep(interval);
        }
        return condition.getAsBoolean();
    }

    /**
     * Waits as {@link #await} does, but does not check {@code condition} again while nothing happens: if no other thread
     * has run during a check, the next one is at the first multiple of {@code interval} at which another thread can have
     * run. For conditions that the passing of time alone cannot change.
     */
    public boolean awaitProgress(BooleanSupplier condition, Duration interval, Duration atMost) {
        long end = elapsed().plus(atMost).toNanos();
        long switches = scheduler.progress();
        while (!condition.getAsBoolean() && elapsed().toNanos() < end) {
            long idle = scheduler.progress() == switches ? scheduler.idleNanos() : 0;
            long intervals = Math.min(idle, end - elapsed().toNanos()) / interval.toNanos();
            sleep(interval.multipliedBy(Math.max(1, intervals)));
            switches = scheduler.progress();
        }
        return condition.getAsBoolean();
    }

    /** Schedules an action of the world, which no fault of a node prevents. It must not wait. */
    public void after(Duration delay, Runnable action) {
        scheduler.timeline.plan(delay.toNanos(), () -> true, action);
    }

    /** Returns the simulated time since the world began. */
    public Duration elapsed() {
        return Duration.ofNanos(scheduler.timeline.now());
    }

    /** Returns the store's clock, which {@link #stepStoreClock} moves. */
    public InstantSource storeClock() {
        return () -> beginning.plus(elapsed()).plus(storeClockOffset);
    }

    /** Moves the store's clock forwards or backwards. */
    public void stepStoreClock(Duration by) {
        note("store", "clock stepped by " + by);
        storeClockOffset = storeClockOffset.plus(by);
    }

    /** Adds an entry to the trace. */
    public void note(Object who, String what) {
        scheduler.trace.note(scheduler.timeline.now(), who, what);
    }

    /** Returns a hash of everything that happened so far, and of its order. */
    public long traceHash() {
        return scheduler.trace.hash();
    }

    /** Returns the latest trace entries, and the stacks of all threads. */
    public String dump() {
        return scheduler.dump();
    }

    /** Returns the node of the running thread; null while the world itself acts. */
    public @Nullable SimNode runningNode() {
        SimThread running = scheduler.running();
        return running == null ? null : running.node;
    }

    /** Returns the node whose request the store executes right now; null if there is none. */
    public @Nullable SimNode caller() {
        return caller;
    }

    <T> T onBehalfOf(SimNode node, Supplier<T> action) {
        caller = node;
        try {
            return action.get();
        } finally {
            caller = null;
        }
    }

    SimScheduler scheduler() {
        return scheduler;
    }
}
