package dev.dormouse.testing.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A world of nodes under one simulated time, in which a seed decides everything: the same seed gives the same order of
 * events to the last detail ({@link #traceHash()}).
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
 * <p>{@code run} throws what went wrong: what the driver or any other thread threw, a deadlock, a loop in which no time
 * passes; the seed stands in the message.
 */
public final class SimWorld {
    /** When a world begins. */
    public static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final double LARGEST_DRIFT = 0.01;

    private final long seed;
    private final Random random;
    private final Scheduler scheduler;
    private final SimNode driver;
    private final Instant beginning;
    private @Nullable SimNode caller;
    private Duration storeClockOffset = Duration.ZERO;

    public SimWorld(long seed) {
        this(seed, BEGINNING, PATIENCE);
    }

    /**
     * @param patience how long, of real time, a thread may run without coming to a gate or a store call
     */
    public SimWorld(long seed, Instant beginning, Duration patience) {
        this.seed = seed;
        this.beginning = beginning;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
        this.scheduler = new Scheduler(new Random(random.nextLong()), patience);
        this.driver = new SimNode(this, "driver", new Random(random.nextLong()), 0, 1);
    }

    public long seed() {
        return seed;
    }

    /** For the decisions of those who play fate. */
    public Random random() {
        return random;
    }

    /** A node whose clock begins anywhere and drifts a little. */
    public SimNode newNode(String name) {
        double drift = (random.nextDouble() * 2 - 1) * LARGEST_DRIFT;
        return new SimNode(this, name, new Random(random.nextLong()), random.nextLong() >> 2, 1 + drift);
    }

    /** A node whose clock is never wrong. */
    public SimNode newExactNode(String name) {
        return new SimNode(this, name, new Random(random.nextLong()), 0, 1);
    }

    /** The node of the driver, for threads that nothing can harm. */
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
     * The calling thread takes the driver's place, until it {@link #leave leaves}.
     *
     * @param isHopeful asked when nobody can go on but by the passing of time, and the caller waits without a limit:
     *     whether time is worth passing
     * @param lost what to throw at the caller where it is not
     */
    public void enter(BooleanSupplier isHopeful, Supplier<RuntimeException> lost) {
        scheduler.enter(driver, "test", new Guest.Hope() {
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
    public void checkGuest() {
        scheduler.checkGuest();
    }

    /** The calling thread goes on for the one that has entered, which must not do anything meanwhile. */
    public void replaceGuest() {
        scheduler.replaceGuest();
    }

    /** Ends the world that the caller has entered; throws what went wrong in it, unless the caller knows. */
    public void leave() {
        throwIfFailed(scheduler.leave());
    }

    /** The calling thread sleeps; it goes on when all has happened that happens up to then. */
    public void pass(Duration time) {
        scheduler.sleep(time);
    }

    /** The calling thread sleeps; others go on. */
    public void sleep(Duration time) {
        driver.threads().newGate().pass(time);
    }

    /**
     * Sleeps until {@code condition} holds, and checks it every {@code interval}. Checks are left out while nothing
     * happens in the world that could change it. Returns whether it holds after at most {@code atMost}.
     */
    public boolean await(BooleanSupplier condition, Duration interval, Duration atMost) {
        long end = elapsed().plus(atMost).toNanos();
        while (true) {
            long began = scheduler.timeline.now();
            long turns = scheduler.progress();
            boolean holds = condition.getAsBoolean();
            long now = scheduler.timeline.now();
            if (holds || now >= end) {
                return holds;
            }
            // What happened during the check may be missing from its answer.
            boolean isCurrent = now == began && scheduler.progress() == turns;
            long idle = isCurrent ? Math.min(scheduler.idleTime(), end - now) : 0;
            long checks = Math.max(1, -Math.floorDiv(-idle, interval.toNanos()));
            sleep(interval.multipliedBy(checks));
        }
    }

    /** Something that happens by itself after a while, whatever becomes of the nodes. It must not wait. */
    public void after(Duration delay, Runnable action) {
        scheduler.timeline.plan(delay.toNanos(), () -> true, action);
    }

    /** How long the world has existed. */
    public Duration elapsed() {
        return Duration.ofNanos(scheduler.timeline.now());
    }

    /** The clock of the store, which {@link #stepStoreClock} sets. */
    public InstantSource storeClock() {
        return () -> beginning.plus(elapsed()).plus(storeClockOffset);
    }

    /** Sets the store's clock forwards or back. */
    public void stepStoreClock(Duration by) {
        note("store", "clock stepped by " + by);
        storeClockOffset = storeClockOffset.plus(by);
    }

    /** Makes something part of the trace. */
    public void note(Object who, String what) {
        scheduler.trace.note(scheduler.timeline.now(), who, what);
    }

    /** Depends on everything that happened so far and on its order. */
    public long traceHash() {
        return scheduler.trace.hash();
    }

    /** What happened lately, and who waits where. */
    public String dump() {
        return scheduler.dump();
    }

    /** The node of the running thread; null while the world itself acts. */
    public @Nullable SimNode runningNode() {
        SimThread running = scheduler.running();
        return running == null ? null : running.node;
    }

    /** The node for which the store executes a request right now; null while it executes none. */
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

    Scheduler scheduler() {
        return scheduler;
    }
}
