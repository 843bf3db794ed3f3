package dev.dormouse.testing;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.Micros;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.sim.FaultProfile;
import dev.dormouse.testing.sim.SimDatabase;
import dev.dormouse.testing.sim.SimNode;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * A {@link Dormouse} for tests: the production engine on a store in memory, under simulated time.
 *
 * <pre>{@code
 * try (TestDormouse test = TestDormouse.open(builder -> builder
 *         .workflow(Trial.class, TrialWorkflow::new)
 *         .activities(Mail.class, new RecordedMail()))) {
 *   Trial trial = test.dormouse().workflow(Trial.class, "trial-ada");
 *   trial.run("ada");                            // 30 days, in milliseconds
 * }
 * }</pre>
 *
 * <p>Time stands still while code of the test, of a workflow or of an activity runs. When all of them wait, the test in
 * a call such as {@code handle.result()} or {@link #advance}, time jumps to the next instant at which something is due.
 * A test that waits for what will never happen gets an error that says what every open run waits for.
 *
 * <p>Belongs to the thread that opened it, which is the only one from outside that may use its Dormouse. Waits leave
 * memory at once and every continuation is a replay, so that code that does not repeat itself is found. Lease and sweep
 * settings have no effect: there is one node, and its clock is right.
 */
public final class TestDormouse implements AutoCloseable {
    private static final Duration NEVER = Duration.ofDays(3_650);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final SimWorld world;
    private final OwnedStore store;
    private final SimDatabase database;
    private UnaryOperator<DormouseBuilder> setUp;
    private SimNode node;
    private Dormouse dormouse;
    private int restarts;
    private boolean closed;

    private TestDormouse(TestOptions options, UnaryOperator<DormouseBuilder> setUp) {
        this.setUp = setUp;
        this.world = new SimWorld(options.seed(), options.beginning(), options.patience());
        this.store = new OwnedStore(world);
        this.database = new SimDatabase(world, store);
        OpenRuns runs = new OpenRuns(store);
        world.enter(runs::anyGoesOn, runs::noneGoesOn);
        this.node = world.newExactNode("node-1");
        this.dormouse = openOrLeave();
    }

    /** Opens a Dormouse that is set up like this; its store is the one in memory. */
    public static TestDormouse open(UnaryOperator<DormouseBuilder> setUp) {
        return open(TestOptions.DEFAULT, setUp);
    }

    /** The same, with options. */
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
        DormouseBuilder builder = setUp.apply(Dormouse.builder().parkAtMost(Duration.ZERO));
        return builder.leasePeriod(NEVER)
                .sweepInterval(NEVER)
                .open(database.connect(node, FaultProfile.PERFECT), node.threads(), node.random());
    }

    /** The Dormouse under test; another one after each {@link #restart}. */
    public Dormouse dormouse() {
        return dormouse;
    }

    /** What the clock shows. */
    public Instant now() {
        return world.storeClock().instant();
    }

    /** How much time has passed since the beginning. */
    public Duration elapsed() {
        return world.elapsed();
    }

    /**
     * Lets so much time pass; returns when everything has happened that happens up to and at that instant. Zero lets
     * happen what can happen now. An activity that calls this takes so long.
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw badTime("time to go forwards", "got " + time + ". Advance by zero or more.");
        }
        Duration left = LONGEST.minus(elapsed());
        if (time.compareTo(left) > 0) {
            throw badTime(
                    "a test to last for " + LONGEST.toDays() + " days at most",
                    "got " + time + " when " + left + " are left of them. Advance by less.");
        }
        world.pass(Duration.ofNanos(Micros.of(time) * 1_000));
    }

    /** The same up to an instant, which must not have passed. */
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
     * Kills the node as by {@code kill -9} and opens it anew: what executed goes on at once from what is stored. The
     * old Dormouse, its handles and its stubs are dead; find the runs again by the one that this returns.
     */
    public Dormouse restart() {
        return restart(setUp);
    }

    /** The same with another set-up: a deployment of new code under open runs. */
    public Dormouse restart(UnaryOperator<DormouseBuilder> newSetUp) {
        world.checkGuest();
        node.kill();
        store.releaseLeases();
        setUp = newSetUp;
        node = world.newExactNode("node-" + (++restarts + 1));
        dormouse = openNode();
        return dormouse;
    }

    /** The calling thread goes on for the one that opened this, which waits for it. */
    void replaceThread() {
        world.replaceGuest();
    }

    /** Ends everything at once, without closing the Dormouse; throws what broke the engine, if anything did. */
    @Override
    public void close() {
        if (!closed) {
            world.leave();
            closed = true;
        }
    }

    /** A store that belongs to one node, as one in a file does. */
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
