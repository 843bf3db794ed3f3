package dev.dormouse.testing.sim;

import dev.dormouse.testing.sim.SimThread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets exactly one simulated thread run at a time. Whoever gives up the baton (at a gate, at its end) chooses the next
 * thread itself, by the world's random source, and hands the baton over; so a thread that is chosen again at once costs
 * no switch. Time stands still while any thread can run, and jumps to the next thing planned when none can.
 *
 * <p>All fields but {@link #progress} belong to the holder of the baton; handing it over publishes them.
 */
final class Scheduler {
    /** So many turns without time passing are a loop that waits for something that will never be. */
    private static final int TURNS_AT_ONE_INSTANT = 1_000_000;

    final Timeline timeline = new Timeline();
    final Trace trace = new Trace();
    private final Random random;
    private final Duration patience;
    private final List<SimThread> live = new ArrayList<>();
    private final List<SimThread> ready = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable SimThread running;
    private boolean ended;
    private @Nullable Throwable failure;
    private int threads;
    private int turnsAtThisInstant;
    private final AtomicLong progress = new AtomicLong();

    /**
     * @param patience how long, of real time, a thread may run without coming to a gate or a store call
     */
    Scheduler(Random random, Duration patience) {
        this.random = random;
        this.patience = patience;
    }

    /** Runs until the driver returns or anything fails, then unwinds whatever is left. */
    @Nullable
    Throwable run() {
        passOn();
        for (long seen = -1; !isDone(); seen = progress.get()) {
            if (seen == progress.get()) {
                return stuck();
            }
        }
        return failure;
    }

    private boolean isDone() {
        try {
            return done.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Expected the world to end, but was interrupted.", interrupted);
        }
    }

    private Throwable stuck() {
        return new AssertionError("Expected every thread to wait at a gate or in a store call, but " + running
                + " has not come back for a while: it waits for something else.\n" + dump());
    }

    SimThread start(SimNode node, String name, Runnable body) {
        SimThread thread = new SimThread(threads++, node, name, body);
        live.add(thread);
        ready.add(thread);
        return thread;
    }

    /** The thread that runs; null while the world itself acts. */
    @Nullable
    SimThread running() {
        return running;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Makes a waiting thread ready; what it waited for is over. */
    void wake(SimThread thread) {
        if (thread.state == State.WAITING) {
            thread.state = State.READY;
            thread.waits++;
            ready.add(thread);
        }
    }

    void wakeAll(SimNode node) {
        live.stream().filter(thread -> thread.node == node).forEach(this::wake);
    }

    /** The running thread gives others their turn and comes back when it is ready and chosen. */
    void turn(State state) {
        SimThread me = me();
        me.state = state;
        if (state == State.READY) {
            ready.add(me);
        }
        SimThread next = Objects.requireNonNull(choose()); // at least the caller is left
        if (next != me) {
            handOver(next);
            me.awaitBaton();
        }
        me.state = State.RUNNING;
        dieIfDead();
    }

    /** The running thread, which must be the caller's. */
    SimThread me() {
        if (running == null || !running.isCarriedBy(Thread.currentThread())) {
            throw new IllegalStateException("Expected a simulated thread at a gate or in a store call, but "
                    + Thread.currentThread() + " is none while " + running + " runs.");
        }
        return running;
    }

    boolean isDead(SimThread thread) {
        return ended || thread.node.isKilled();
    }

    void dieIfDead() {
        SimThread me = me();
        if (!isDead(me)) {
            return;
        }
        if (me.isDeafToDeath()) {
            fail(new AssertionError("Expected " + me + " to end with its node, but it swallows the error."));
            finish(me);
            forget();
        }
        throw new NodeKilled(me.node.name());
    }

    private static void forget() {
        while (true) {
            LockSupport.park();
        }
    }

    /** Ends the world with an error, unless it has failed before. */
    void fail(Throwable cause) {
        failure = failure == null ? cause : failure;
        end();
    }

    void end() {
        if (!ended) {
            ended = true;
            List.copyOf(live).forEach(this::wake);
        }
    }

    private void carry(SimThread thread) {
        thread.beginOn(Thread.currentThread());
        thread.state = State.RUNNING;
        try {
            if (!isDead(thread)) {
                thread.body.run();
            }
        } catch (NodeKilled expected) {
            // its node is gone, and so is the thread
        } catch (Throwable uncaught) {
            fail(uncaught);
        }
        finish(thread);
    }

    private void finish(SimThread thread) {
        thread.state = State.DONE;
        live.remove(thread);
        passOn();
    }

    private void passOn() {
        SimThread next = choose();
        if (next == null) {
            done.countDown();
        } else {
            handOver(next);
        }
    }

    private void handOver(SimThread next) {
        progress.incrementAndGet();
        if (next.hasBegun()) {
            next.giveBaton();
        } else {
            Carriers.POOL.execute(() -> carry(next));
        }
    }

    /** Chooses who runs next, letting time pass if it must; null when nobody is left. */
    private @Nullable SimThread choose() {
        running = null;
        while (!live.isEmpty()) {
            int count = ended ? ready.size() : runnable();
            if (count > 0) {
                running = take(random.nextInt(count));
                trace.chosen(timeline.now(), running.id);
                return running;
            }
            letTimePass();
        }
        return null;
    }

    /** Puts the ready threads of paused nodes last and counts the others. */
    private int runnable() {
        if (turnsAtThisInstant++ > TURNS_AT_ONE_INSTANT) {
            fail(new AssertionError("Expected time to pass, but threads keep running without it.\n" + dump()));
            return ready.size();
        }
        int count = ready.size();
        for (int i = 0; i < count; i++) {
            while (i < count && ready.get(i).node.isPaused()) {
                count--;
                SimThread paused = ready.set(i, ready.get(count));
                ready.set(count, paused);
            }
        }
        return count;
    }

    private SimThread take(int index) {
        SimThread last = ready.remove(ready.size() - 1);
        return index == ready.size() ? last : ready.set(index, last);
    }

    private void letTimePass() {
        turnsAtThisInstant = 0;
        try {
            if (!timeline.advance()) {
                throw new AssertionError("Expected somebody to go on, but all wait for ever.\n" + dump());
            }
        } catch (Throwable failed) {
            fail(failed);
        }
    }

    String dump() {
        StringBuilder text = new StringBuilder("Lately:\n").append(trace).append("\nThreads:\n");
        for (SimThread thread : live) {
            text.append("  ").append(thread).append(' ').append(thread.state);
            text.append(thread.node.isPaused() ? " (paused)\n" : "\n");
            for (StackTraceElement frame : thread.stack()) {
                text.append("      ").append(frame).append('\n');
            }
        }
        return text.toString();
    }
}
