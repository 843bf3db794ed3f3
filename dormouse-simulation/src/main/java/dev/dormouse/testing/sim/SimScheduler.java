package dev.dormouse.testing.sim;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.testing.sim.SimThread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that lets exactly one simulated thread run at a time. A thread that gives up the baton (at a gate, at its
 * end) chooses the next thread itself, by the world's random source, and hands the baton over; a thread that is chosen
 * again at once costs no switch. Time stands still while any thread can run, and jumps to the next planned action when
 * none can.
 *
 * <p>A world is driven by its first thread ({@link #run}), or by an external thread ({@link #enter}, {@link #leave}).
 *
 * <p>A thread that executes blocking code goes {@link #outside} of the world and comes back later. Time stands still
 * meanwhile, unless the world is told otherwise ({@link #sleepWhileBlocked}). If nothing can run until a thread comes
 * back, no thread holds the baton; see {@link OutsideThreads}.
 *
 * <p>Concurrency: all fields except {@link #progress} and {@link #outside} belong to the holder of the baton; handing
 * it over publishes them. An external thread that ran out of patience reads them without the baton, only for its error
 * message, where stale values are harmless.
 */
final class SimScheduler {
    /** This number of turns without time passing indicates a busy loop that waits for something that never happens. */
    private static final int TURNS_AT_ONE_INSTANT = 1_000_000;

    final SimTimeline timeline = new SimTimeline();
    final SimTrace trace = new SimTrace();
    private final Random random;
    private final Duration patience;
    private final List<SimThread> live = new ArrayList<>();
    private final List<SimThread> ready = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable SimThread running;
    private final OutsideThreads outside = new OutsideThreads();
    private boolean timePassesWhileBlocked;
    private @Nullable ExternalThread external;
    private boolean ended;
    private @Nullable Throwable failure;
    private int threads;
    private int turnsAtThisInstant;
    private final AtomicLong progress = new AtomicLong();

    /** @param patience the maximum real time that a thread may run without reaching a gate or a store call */
    SimScheduler(Random random, Duration patience) {
        this.random = random;
        this.patience = patience;
    }

    /**
     * Runs until the driver returns or any thread fails, then unwinds the remaining threads. Returns the failure, or
     * null.
     */
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

    /** Makes the calling thread a thread of this world, and the running one. */
    void enter(SimNode node, String name, ExternalThread.Hope hope) {
        SimThread thread = new SimThread(threads++, node, name, false, () -> {});
        thread.beginOn(Thread.currentThread());
        thread.state = State.RUNNING;
        live.add(thread);
        running = thread;
        external = new ExternalThread(thread, patience, hope);
    }

    /** Makes the calling thread replace the external thread, if that is the running one. */
    void replaceExternalThread() {
        SimThread thread = Objects.requireNonNull(external).thread;
        if (running == thread) {
            thread.beginOn(Thread.currentThread());
        }
    }

    /** Throws unless the caller is the external thread. */
    void checkExternalThread() {
        if (!isExternal(me())) {
            throw notATestThread();
        }
    }

    /**
     * Ends the world when the external thread leaves, and unwinds the remaining threads. Returns the failure if the
     * external thread has not seen it yet.
     */
    @Nullable
    Throwable leave() {
        ExternalThread leaving = Objects.requireNonNull(external);
        if (leaving.isGone()) {
            return null;
        }
        checkExternalThread();
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

    /** Returns the running thread; null while the world itself acts. */
    @Nullable
    SimThread running() {
        return running;
    }

    /** Returns true if the world has ended. Ends it if its external thread is gone. */
    boolean hasEnded() {
        ExternalThread absent = external;
        if (!ended && absent != null && absent.isGone()) {
            live.remove(absent.thread);
            ready.remove(absent.thread);
            absent.thread.state = State.DONE;
            end();
        }
        return ended;
    }

    /** Makes a waiting thread ready. */
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

    /** Gives up the baton. Returns when the calling thread is ready and chosen again. */
    void turn(State state) {
        SimThread me = me();
        me.state = state;
        if (state == State.READY) {
            ready.add(me);
        }
        SimThread next = choose(); // null if the world rests until a thread comes back from outside
        if (next != me) {
            if (next != null) {
                handOver(next);
            }
            awaitBaton(me);
        }
        resume(me);
    }

    private void resume(SimThread me) {
        me.state = State.RUNNING;
        dieIfDead();
        if (isExternal(me)) {
            Objects.requireNonNull(external).throwProblem();
        }
    }

    // ---- threads outside

    /** Executes {@code body} on the calling thread, without the baton. */
    <T> T outside(Callable<T> body) throws Exception {
        SimThread me = me();
        if (isExternal(me)) {
            return Objects.requireNonNull(external).outside(this, body);
        }
        goOut(me);
        try {
            return body.call();
        } finally {
            comeIn(me);
        }
    }

    /** Executes {@code action} with the baton, even if the calling thread is outside. */
    <T> T inside(Supplier<T> action) {
        SimThread me = outside.caller();
        if (me == null) {
            return action.get();
        }
        comeIn(me);
        try {
            return action.get();
        } finally {
            if (!isDead(me)) {
                goOut(me);
            }
        }
    }

    /** Returns true if the calling thread is outside. */
    boolean isOutside() {
        return outside.caller() != null;
    }

    /** Makes the holder of the baton execute {@code action}. For threads outside, which do not wait for it. */
    void request(Runnable action) {
        if (outside.leave(action)) {
            passOn();
        }
    }

    void goOut(SimThread me) {
        dieIfDead();
        me.state = State.OUTSIDE;
        outside.add(me);
        passOn();
    }

    /** Waits for the baton. Has no effect on a thread that is not outside. */
    void comeIn(SimThread me) {
        if (!isOutside()) {
            return;
        }
        outside.remove(me);
        if (me.isLost) {
            throw new NodeKilled(me.node.name());
        }
        request(() -> {
            me.state = State.READY;
            ready.add(me);
        });
        awaitBaton(me);
        if (me.isLost) {
            throw new NodeKilled(me.node.name());
        }
        resume(me);
    }

    void interruptOutside(SimNode node) {
        outside.all().stream().filter(thread -> thread.node == node).forEach(SimThread::interrupt);
    }

    /** Returns true if time must not pass, because code executes outside. What is due now still happens. */
    private boolean standsStill() {
        return !timePassesWhileBlocked
                && live.stream().anyMatch(thread -> thread.state == State.OUTSIDE && !thread.node.isKilled())
                && timeline.isStill();
    }

    /** Lets time pass although threads are outside. */
    void sleepWhileBlocked(Duration time) {
        inside(() -> {
            timePassesWhileBlocked = true;
            try {
                sleep(time);
            } finally {
                timePassesWhileBlocked = false;
            }
            return true;
        });
    }

    /**
     * Gives the baton to the external thread if the world rests, and returns the description of the threads outside;
     * null if it does not rest.
     */
    @Nullable
    String takeFromRest(SimThread me) {
        if (!outside.resume()) {
            return null;
        }
        running = me;
        me.waits++;
        me.state = State.RUNNING;
        StringBuilder text = new StringBuilder();
        live.stream().filter(thread -> thread.state == State.OUTSIDE).forEach(thread -> {
            text.append("\n  ").append(thread);
            Arrays.stream(thread.stack())
                    .limit(ExternalThread.DEEPEST)
                    .forEach(frame -> text.append("\n    at ").append(frame));
        });
        return text.toString();
    }

    private void awaitBaton(SimThread me) {
        if (isExternal(me)) {
            Objects.requireNonNull(external).awaitBaton(this);
        } else {
            me.awaitBaton();
        }
    }

    private boolean isExternal(SimThread thread) {
        return external != null && external.thread == thread;
    }

    /** Makes the running thread sleep until everything due up to then has happened. */
    void sleep(Duration time) {
        inside(() -> {
            sleepInside(time);
            return true;
        });
    }

    private void sleepInside(Duration time) {
        dieIfDead();
        SimThread me = me();
        int wait = me.waits;
        me.waitsForEver = false;
        int rank = isExternal(me) ? SimTimeline.LAST : SimTimeline.AFTERWARDS;
        timeline.plan(time.toNanos(), rank, () -> me.waits == wait, () -> wake(me));
        turn(State.WAITING);
    }

    /**
     * Returns how long nothing but the running thread will act: 0 if another thread can run or is outside, otherwise
     * the time until the next planned action.
     */
    long idleNanos() {
        return ready.isEmpty() && outside.all().isEmpty() ? timeline.idleNanos() : 0;
    }

    long progress() {
        return progress.get();
    }

    Duration elapsed() {
        return Duration.ofNanos(timeline.now());
    }

    boolean isMine() {
        SimThread me = running;
        return me != null && me.isCarriedBy(Thread.currentThread());
    }

    /** Returns the running thread, which must be the caller. */
    SimThread me() {
        SimThread me = running;
        if (me == null || !isMine()) {
            throw external == null ? foreignThread() : external.isGone() || ended ? over() : notATestThread();
        }
        return me;
    }

    /** Rejects threads that do not belong to the world, where they could do harm before they reach a gate. */
    void rejectForeignThreads() {
        if (external != null && running != null && !isOutside()) {
            me();
        }
    }

    private RuntimeException foreignThread() {
        return new IllegalStateException("Expected a simulated thread at a gate or in a store call, but "
                + Thread.currentThread() + " is not one while " + running + " runs.");
    }

    private static DormouseException notATestThread() {
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
                        + (cause == null
                                ? "it was closed, or a call of the test exceeded its timeout."
                                : "it broke: " + cause)
                        + " Open another one.",
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
        if (isExternal(me)) {
            throw over();
        }
        if (me.ignoresDeath()) {
            fail(new AssertionError("Expected " + me + " to end with its node, but it swallows the error."));
            finish(me);
            forget();
        }
        throw new NodeKilled(me.node.name());
    }

    /** Ends the running thread forever; the world continues without it. */
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
            outside.all().forEach(SimThread::interrupt);
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
            // its node is dead, and so is the thread
        } catch (Throwable uncaught) {
            failIfInside(thread, uncaught);
        }
        if (!thread.isLost) {
            finish(thread);
        }
    }

    private void failIfInside(SimThread thread, Throwable uncaught) {
        if (!thread.isLost) {
            fail(uncaught);
        }
    }

    private void finish(SimThread thread) {
        thread.state = State.DONE;
        live.remove(thread);
        passOn();
    }

    private void passOn() {
        SimThread next = choose();
        if (next != null) {
            handOver(next);
        } else if (live.isEmpty()) {
            done.countDown();
        }
    }

    private void handOver(SimThread next) {
        progress.incrementAndGet();
        if (next.hasBegun()) {
            next.giveBaton();
        } else {
            CarrierThreads.POOL.execute(() -> carry(next));
        }
    }

    /**
     * Chooses the next thread and lets time pass if none is ready. Returns null if no thread is left, or if the world
     * rests until a thread comes back from outside.
     */
    private @Nullable SimThread choose() {
        running = null;
        while (!live.isEmpty()) {
            outside.execute();
            int count = hasEnded() ? ready.size() : runnable();
            if (count > 0) {
                SimThread next = take(random.nextInt(count));
                running = next;
                trace.chosen(timeline.now(), next.id);
                return next;
            }
            if (ended) {
                loseOutsideThreads();
            } else if (!standsStill()) {
                letTimePass();
            } else if (outside.rest()) {
                return null;
            }
        }
        return null;
    }

    /** Ends the world for threads that are still outside when all others have ended. */
    private void loseOutsideThreads() {
        live.stream().filter(thread -> thread.state == State.OUTSIDE).toList().forEach(thread -> {
            thread.isLost = true;
            live.remove(thread);
            thread.giveBaton(); // it may just have asked to come back
        });
    }

    /** Moves the ready threads of paused nodes to the end and returns the number of the others. */
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
            if (external != null && external.isHopeless(timeline, live)) {
                wake(external.thread);
            } else if (!timeline.advance()) {
                throw new AssertionError("Expected some thread to make progress, but all wait forever.\n" + dump());
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
