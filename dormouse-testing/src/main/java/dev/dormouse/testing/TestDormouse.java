package dev.dormouse.testing;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.store.base.Micros;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Dormouse} for tests: the production engine on an in-memory store, under simulated time.
 *
 * <pre>{@code
 * try (TestDormouse test = TestDormouse.open(builder -> builder
 *         .workflow(Trial.class, TrialWorkflow::new)
 *         .activities(Mail.class, new RecordedMail()))) {
 *     Trial trial = test.dormouse().workflow(Trial.class, "trial-ada");
 *     trial.run("ada");                            // 30 days, in milliseconds
 * }
 * }</pre>
 *
 * <p>Time stands still while code of the test, of a workflow or of an activity runs. When all of them wait, the test in
 * a call such as {@code handle.result()} or {@link #advance}, time jumps to the next instant at which something is due.
 * If the test waits for something that can never happen, the call throws an error that describes what every open run
 * waits for.
 *
 * <p>An activity that blocks for real, on a latch for example, would stop everything. {@link #block} lets the others run
 * meanwhile, and {@link TestOptions#withBlockingActivities} does so for all activities.
 *
 * <p>Not thread-safe: only the thread that opened it may use it and its Dormouse, besides the workflows and activities
 * themselves. Waiting runs leave memory at once and every continuation is a replay, so that non-deterministic code is
 * found. Lease and sweep settings have no effect: there is one node, and its clock is exact. Retries have no jitter
 * ({@link TestOptions#withRetryJitter}), and closed runs are kept unless the configuration sets a retention.
 */
public final class TestDormouse implements AutoCloseable {
    private static final Duration NEVER = Duration.ofDays(3_650);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final SimWorld world;
    private final OwnedStore store;
    private final boolean retryJitter;
    private final SimDatabase database;
    private UnaryOperator<DormouseBuilder> setUp;
    private SimNode node;
    private Dormouse dormouse;
    private int restarts;
    private boolean closed;

    private TestDormouse(TestOptions options, UnaryOperator<DormouseBuilder> setUp) {
        this.setUp = setUp;
        this.retryJitter = options.retryJitter();
        this.world = new SimWorld(options.seed(), options.startTime(), options.timeout());
        this.store = new OwnedStore(world);
        this.database = new SimDatabase(world, store);
        if (options.areActivitiesBlocking()) {
            world.runStepsOutside();
        }
        OpenRuns runs = new OpenRuns(store);
        world.enter(runs::anyGoesOn, runs::noneGoesOn);
        this.node = world.newExactNode("node-1");
        this.dormouse = openOrLeave();
    }

    /**
     * Opens a Dormouse with the given configuration and {@link TestOptions#DEFAULT}. Its store is always the in-memory
     * one.
     *
     * @throws DormouseException as {@link DormouseBuilder#open}
     */
    public static TestDormouse open(UnaryOperator<DormouseBuilder> setUp) {
        return open(TestOptions.DEFAULT, setUp);
    }

    /**
     * Opens a Dormouse with the given options and configuration. Its store is always the in-memory one.
     *
     * @throws DormouseException as {@link DormouseBuilder#open}
     */
    public static TestDormouse open(TestOptions options, UnaryOperator<DormouseBuilder> setUp) {
        return new TestDormouse(options, setUp);
    }

    private Dormouse openOrLeave() {
        try {
            return openNode();
        } catch (RuntimeException | Error problem) {
            close();
            throw problem;
        }
    }

    private Dormouse openNode() {
        DormouseBuilder builder =
                setUp.apply(Dormouse.builder().maxParkTime(Duration.ZERO).keepClosedRuns());
        builder.leasePeriod(NEVER).sweepInterval(NEVER);
        return ConfigurationAccess.open(
                builder,
                database.connect(node, FaultProfile.PERFECT),
                node.threads(),
                retryJitter ? node.random() : node.withoutJitter());
    }

    /** Returns the Dormouse under test; a new one after each {@link #restart}. */
    public Dormouse dormouse() {
        return dormouse;
    }

    /** Returns the current simulated time. */
    public Instant now() {
        return world.storeClock().instant();
    }

    /** Returns the simulated time since the test began. */
    public Duration elapsed() {
        return world.elapsed();
    }

    /**
     * Lets {@code time} pass. Returns when everything due up to and at that instant has happened. Zero lets happen what
     * is due now. An activity that calls this method takes that long.
     *
     * <p>Time stands still while an activity blocks for real, so this method waits for its end.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code time} is negative, or the test would last more than 36,500 days;
     *     ACTIVITY_BLOCKS if an activity blocks for longer than the timeout of the test
     */
    public void advance(Duration time) {
        world.pass(checked(time));
    }

    /**
     * Lets {@code time} pass although activities block for real: to test what happens when they time out, for example.
     * Returns when everything due up to and at that instant has happened, except for what these activities do.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code time} is negative, or the test would last more than 36,500 days
     */
    public void advanceWhileBlocked(Duration time) {
        world.passWhileBlocked(checked(time));
    }

    /**
     * Executes {@code body}, which may block for real, on the calling thread, and returns its result. Workflows and
     * activities run meanwhile, and simulated time stands still. May be called by the test and by activities, not by
     * workflow code. On the test's thread, {@code body} is interrupted after the timeout of the test.
     *
     * <p>For the test, to wait until an activity has reached a point: {@code test.block(() -> reached.await(…))}. For
     * activities, to block in one place instead of {@link TestOptions#withBlockingActivities} for all of them.
     *
     * @throws DormouseException TEST_BLOCKS if {@code body} was interrupted after the timeout; NOT_A_TEST_THREAD if
     *     another thread calls it
     * @throws Exception the exception of {@code body}
     */
    public <T extends @Nullable Object> T block(Callable<T> body) throws Exception {
        return world.outside(body);
    }

    /**
     * Executes {@code body} on another thread of the test, and returns a future of its result: for calls that wait, such
     * as two updates by a stub at the same time. {@code body} runs when the test waits. The future fails with the
     * exception of {@code body}.
     */
    public <T extends @Nullable Object> CompletableFuture<T> async(Callable<T> body) {
        return world.async(body);
    }

    private Duration checked(Duration time) {
        if (time.isNegative()) {
            throw badTime("time to go forwards", "got " + time + ". Advance by zero or more.");
        }
        Duration left = LONGEST.minus(elapsed());
        if (time.compareTo(left) > 0) {
            throw badTime(
                    "a test to last for " + LONGEST.toDays() + " days at most",
                    "got " + time + " when " + left + " are left of them. Advance by less.");
        }
        return Duration.ofNanos(Micros.of(time) * 1_000);
    }

    /**
     * Lets time pass until {@code instant}. Returns when everything due up to and at that instant has happened.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code instant} has passed, or the test would last more than 36,500
     *     days
     */
    public void advanceTo(Instant instant) {
        Duration time = Duration.between(now(), instant);
        if (time.isNegative()) {
            throw badTime(
                    "an instant that has not passed",
                    "it is " + now() + " and got " + instant + ". Advance to a later one.");
        }
        advance(time);
    }

    private static DormouseException badTime(String expected, String found) {
        return new DormouseException(ErrorCode.BAD_ARGUMENT, "Expected " + expected + ", but " + found);
    }

    /**
     * Kills the node as with {@code kill -9} and opens it again: executing runs resume at once from the stored state.
     * The old Dormouse, its handles and its stubs are dead; find the runs again with the returned one.
     *
     * @throws DormouseException NOT_A_TEST_THREAD if another thread than that of the test calls it
     */
    public Dormouse restart() {
        return restart(setUp);
    }

    /**
     * Kills the node as with {@code kill -9} and opens it with another configuration, like a deployment of new code
     * under open runs. The old Dormouse, its handles and its stubs are dead; find the runs again with the returned one.
     *
     * @throws DormouseException NOT_A_TEST_THREAD if another thread than that of the test calls it; otherwise as
     *     {@link DormouseBuilder#open}
     */
    public Dormouse restart(UnaryOperator<DormouseBuilder> newSetUp) {
        world.checkExternalThread();
        node.kill();
        store.releaseLeases();
        // The sweeps of a test are years apart, so a dead node would count as living, and runs would be handed to it.
        store.nodes(0).forEach(dead -> store.leave(0, dead.nodeId()));
        setUp = newSetUp;
        node = world.newExactNode("node-" + (++restarts + 1));
        dormouse = openNode();
        return dormouse;
    }

    /** Makes the calling thread replace the one that opened this, which must wait meanwhile. */
    void replaceThread() {
        world.replaceExternalThread();
    }

    /**
     * Ends everything at once, without closing the Dormouse. Throws the error that broke the engine, if there was one.
     */
    @Override
    public void close() {
        if (!closed) {
            world.leave();
            closed = true;
        }
    }

    /** A store that belongs to one node, like a SQLite file. */
    private static final class OwnedStore extends MemoryStore {
        OwnedStore(SimWorld world) {
            super(world.storeClock(), 1);
        }

        @Override
        public boolean isExclusive() {
            return true;
        }
    }
}
