package dev.dormouse.testing.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.PlaceLoan;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * A simulated process with its own {@link #threads()} and a clock that has its own origin and drifts slightly. A killed
 * node unwinds all its threads with {@link NodeKilled} where they wait, and never acts again; a restarted process is a
 * new node. The threads of a paused node are not chosen, while time passes.
 */
public final class SimNode {
    private final SimWorld world;
    private final String name;
    private final Random random;
    private final long clockOffset;
    private final double clockRate;
    private final Threads threads = new SimThreads();
    private final List<Runnable> deathWatch = new ArrayList<>();
    private boolean killed;
    private boolean paused;

    SimNode(SimWorld world, String name, Random random, long clockOffset, double clockRate) {
        this.world = world;
        this.name = name;
        this.random = random;
        this.clockOffset = clockOffset;
        this.clockRate = clockRate;
    }

    public String name() {
        return name;
    }

    public Threads threads() {
        return threads;
    }

    /** Returns the random source for code on this node. It is derived from the world's seed. */
    public Random random() {
        return random;
    }

    /** Returns the random source of this node, changed so that retries have no jitter. */
    public RandomGenerator withoutJitter() {
        return new NoJitter(random);
    }

    public boolean isKilled() {
        return killed;
    }

    public boolean isPaused() {
        return paused;
    }

    /** Throws if the node is dead: live code must not use it. */
    void checkAlive() {
        if (killed) {
            throw new DormouseException(
                    ErrorCode.NODE_KILLED,
                    "Expected a living node, but " + name + " was killed, and its Dormouse, its handles and its stubs "
                            + "with it. Take the new Dormouse and find(…) the run again.");
        }
    }

    /** Registers an action that the world runs when the node is killed. */
    public void onKilled(Runnable action) {
        deathWatch.add(action);
    }

    /**
     * Kills the node as with {@code kill -9}. A thread that kills its own node dies at its next gate or store call.
     */
    public void kill() {
        if (!killed) {
            world.note(name, "killed");
            killed = true;
            paused = false;
            world.scheduler().wakeAll(this);
            world.scheduler().interruptOutside(this);
            deathWatch.forEach(Runnable::run);
        }
    }

    /** Pauses the node as with SIGSTOP. */
    public void pause() {
        world.note(name, "paused");
        paused = !killed;
    }

    /** Pauses the node as with SIGSTOP, and resumes it after {@code time} as with SIGCONT. */
    public void pauseFor(Duration time) {
        pause();
        world.after(time, this::resume);
    }

    public void resume() {
        if (paused) {
            world.note(name, "resumed");
            paused = false;
        }
    }

    /** Converts {@code nanos} on this node's clock to world time. */
    long worldTime(long nanos) {
        return (long) Math.ceil(nanos / clockRate);
    }

    @Override
    public String toString() {
        return name;
    }

    private final class SimThreads implements Threads {
        @Override
        public void startEngine(String threadName, Runnable body) {
            start(threadName, true, body);
        }

        @Override
        public void startCode(String threadName, Runnable body) {
            start(threadName, false, body);
        }

        private void start(String threadName, boolean isEngine, Runnable body) {
            SimScheduler scheduler = world.scheduler();
            if (scheduler.isOutside()) {
                scheduler.request(() -> startIfAlive(threadName, isEngine, body));
                return;
            }
            if (scheduler.running() != null) {
                scheduler.dieIfDead();
            }
            startIfAlive(threadName, isEngine, body);
        }

        private void startIfAlive(String threadName, boolean isEngine, Runnable body) {
            if (!killed) {
                world.scheduler().start(SimNode.this, threadName, isEngine, body);
            }
        }

        @Override
        public <T> T callStep(Callable<T> body) throws Exception {
            return world.areStepsOutside() ? world.outside(body) : body.call();
        }

        @Override
        public Gate newGate() {
            return new SimGate(SimNode.this, world.scheduler());
        }

        @Override
        public <T> CompletableFuture<T> newFuture() {
            return new SimFuture<>(this, world.scheduler());
        }

        @Override
        public <T> T join(CompletableFuture<T> future, Duration atMost)
                throws InterruptedException, ExecutionException, TimeoutException {
            Gate gate = newGate();
            CompletableFuture<T> unused = future.whenComplete((result, problem) -> gate.open());
            try (PlaceLoan loan = future.isDone() ? null : PlaceLoan.begin()) {
                if (!gate.pass(atMost)) {
                    throw new TimeoutException();
                }
            }
            return future.get();
        }

        @Override
        public void waitForGood() {
            world.scheduler().inside(() -> {
                world.scheduler().forgetMe();
                return true;
            });
        }

        @Override
        public long accuracy() {
            return clockRate == 1 ? EXACT : Threads.super.accuracy();
        }

        @Override
        public long nanoTime() {
            world.scheduler().rejectForeignThreads();
            return clockOffset + (long) (world.elapsed().toNanos() * clockRate);
        }
    }
}
