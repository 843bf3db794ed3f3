package dev.dormouse.testing.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
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
 * <p>A world is driven by its first thread ({@link #run}), or by a guest ({@link #enter}, {@link #leave}).
 *
 * <p>All fields but {@link #progress} belong to the holder of the baton; handing it over publishes them. A guest out of
 * patience looks at them without it, for its error message.
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
    private volatile @Nullable SimThread running;
    private @Nullable Guest guest;
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

    /** The calling thread becomes one of this world, and the one that runs. */
    void enter(SimNode node, String name, Guest.Hope hope) {
        SimThread thread = new SimThread(threads++, node, name, false, () -> {});
        thread.beginOn(Thread.currentThread());
        thread.state = State.RUNNING;
        live.add(thread);
        running = thread;
        guest = new Guest(thread, patience, hope);
    }

    /** Another thread goes on as the guest, if that runs and does not wait. */
    void replaceGuest() {
        SimThread thread = Objects.requireNonNull(guest).thread;
        if (running == thread) {
            thread.beginOn(Thread.currentThread());
        }
    }

    /** Refuses all threads but the guest's. */
    void checkGuest() {
        if (!isGuest(me())) {
            throw strangerToTest();
        }
    }

    /** The guest leaves, the world ends, and whatever is left is unwound. Returns what the guest was not told. */
    @Nullable
    Throwable leave() {
        Guest leaving = Objects.requireNonNull(guest);
        if (leaving.isGone()) {
            return null;
        }
        checkGuest();
        boolean knows = ended;
        end();
        finish(leaving.thread);
        boolean done = isDone();
        return knows ? null : done ? failure : stuck();
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

    SimThread start(SimNode node, String name, boolean isEngine, Runnable body) {
        SimThread thread = new SimThread(threads++, node, name, isEngine, body);
        live.add(thread);
        ready.add(thread);
        return thread;
    }

    /** The thread that runs; null while the world itself acts. */
    @Nullable
    SimThread running() {
        return running;
    }

    /** Whether the world has ended; one that its guest has left does so now. */
    boolean hasEnded() {
        Guest absent = guest;
        if (!ended && absent != null && absent.isGone()) {
            live.remove(absent.thread);
            ready.remove(absent.thread);
            absent.thread.state = State.DONE;
            end();
        }
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
            awaitBaton(me);
        }
        me.state = State.RUNNING;
        dieIfDead();
        if (isGuest(me)) {
            Objects.requireNonNull(guest).throwProblem();
        }
    }

    private void awaitBaton(SimThread me) {
        if (isGuest(me)) {
            Objects.requireNonNull(guest).awaitBaton(this);
        } else {
            me.awaitBaton();
        }
    }

    private boolean isGuest(SimThread thread) {
        return guest != null && guest.thread == thread;
    }

    /** The running thread sleeps, until all has happened that happens up to then. */
    void sleep(Duration time) {
        dieIfDead();
        SimThread me = me();
        int wait = me.waits;
        me.waitsForEver = false;
        int rank = isGuest(me) ? Timeline.LAST : Timeline.AFTERWARDS;
        timeline.plan(time.toNanos(), rank, () -> me.waits == wait, () -> wake(me));
        turn(State.WAITING);
    }

    long progress() {
        return progress.get();
    }

    /** Returns for how long, in nanoseconds, nothing happens in the world if the running thread does nothing. */
    long idleTime() {
        return ready.isEmpty() ? timeline.untilNext() : 0;
    }

    Duration elapsed() {
        return Duration.ofNanos(timeline.now());
    }

    boolean isMine() {
        SimThread me = running;
        return me != null && me.isCarriedBy(Thread.currentThread());
    }

    /** The running thread, which must be the caller's. */
    SimThread me() {
        SimThread me = running;
        if (me == null || !isMine()) {
            throw guest == null ? stranger() : guest.isGone() || ended ? over() : strangerToTest();
        }
        return me;
    }

    /** For where a stranger could still do harm before it comes to a gate. */
    void refuseStrangers() {
        if (guest != null && running != null) {
            me();
        }
    }

    private RuntimeException stranger() {
        return new IllegalStateException("Expected a simulated thread at a gate or in a store call, but "
                + Thread.currentThread() + " is none while " + running + " runs.");
    }

    private static DormouseException strangerToTest() {
        return new DormouseException(
                ErrorCode.NOT_A_TEST_THREAD,
                "Expected calls from the thread that opened the TestDormouse, or from its workflows and activities, but "
                        + "thread '" + Thread.currentThread().getName() + "' made one. Make it on the test's thread.");
    }

    private DormouseException over() {
        Throwable cause = failure;
        return new DormouseException(
                ErrorCode.TEST_ENDED,
                "Expected an open TestDormouse, but "
                        + (cause == null ? "it was closed, or the test lost its patience." : "it broke: " + cause)
                        + " Open another one for what is left to do.",
                cause);
    }

    boolean isDead(SimThread thread) {
        return hasEnded() || thread.node.isKilled();
    }

    void dieIfDead() {
        SimThread me = me();
        if (!isDead(me)) {
            return;
        }
        if (isGuest(me)) {
            throw over();
        }
        if (me.isDeafToDeath()) {
            fail(new AssertionError("Expected " + me + " to end with its node, but it swallows the error."));
            finish(me);
            forget();
        }
        throw new NodeKilled(me.node.name());
    }

    /** The running thread never runs again, and the world continues without it. */
    void forgetMe() {
        finish(me());
        forget();
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
            int count = hasEnded() ? ready.size() : runnable();
            if (count > 0) {
                SimThread next = take(random.nextInt(count));
                running = next;
                trace.chosen(timeline.now(), next.id);
                return next;
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
        long before = timeline.now();
        try {
            if (guest != null && guest.isHopeless(timeline, live)) {
                wake(guest.thread);
            } else if (!timeline.advance()) {
                throw new AssertionError("Expected somebody to go on, but all wait for ever.\n" + dump());
            }
            turnsAtThisInstant = timeline.now() == before ? turnsAtThisInstant : 0;
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
