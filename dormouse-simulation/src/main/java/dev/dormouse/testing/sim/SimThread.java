package dev.dormouse.testing.sim;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A simulated thread. All fields except {@link #baton} and the carrier are accessed only by the holder of the baton.
 */
final class SimThread {
    enum State {
        /** Can run when it is chosen. */
        READY,
        RUNNING,
        /** Waits at a gate. */
        WAITING,
        /** Executes blocking code outside of the world. */
        OUTSIDE,
        DONE
    }

    /** A thread that ignores this number of {@link NodeKilled} errors will never end. */
    private static final int DEATHS = 1_000;

    final int id;
    final SimNode node;
    final String name;
    final boolean isEngine;
    final Runnable body;
    State state = State.READY;
    /** Counts the waits, so that a timeout of an earlier wait does not end a later one. */
    int waits;
    /** True if no timeout ends the present wait. */
    boolean waitsForEver;

    /** True if the world has ended while the thread was outside. It must not touch the world any more. */
    volatile boolean isLost;

    private int deaths;
    private volatile boolean baton;
    private volatile @Nullable Thread carrier;

    /** @param isEngine true for a thread of the engine, false for one that executes user code */
    SimThread(int id, SimNode node, String name, boolean isEngine, Runnable body) {
        this.id = id;
        this.node = node;
        this.name = name;
        this.isEngine = isEngine;
        this.body = body;
    }

    boolean hasBegun() {
        return carrier != null;
    }

    boolean isCarriedBy(Thread thread) {
        return carrier == thread;
    }

    void beginOn(Thread thread) {
        carrier = thread;
    }

    void giveBaton() {
        baton = true;
        LockSupport.unpark(carrier);
    }

    void awaitBaton() {
        awaitBaton(Long.MAX_VALUE);
    }

    /**
     * Waits up to {@code atMost} nanoseconds of real time. Returns true if the baton came. Keeps the interrupt status.
     */
    boolean awaitBaton(long atMost) {
        long began = System.nanoTime();
        long left = atMost;
        boolean interrupted = false;
        while (!baton && left > 0) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
            left = atMost - (System.nanoTime() - began);
        }
        boolean came = baton;
        baton = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return came;
    }

    /** Returns true if user code waits with a timeout. */
    boolean awaitsATime() {
        return !isEngine && state == State.WAITING && !waitsForEver;
    }

    void interrupt() {
        Thread thread = carrier;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Counts a {@link NodeKilled} for this thread. Returns true if it has ignored too many. */
    boolean ignoresDeath() {
        return ++deaths > DEATHS;
    }

    StackTraceElement[] stack() {
        Thread thread = carrier;
        return thread == null || state == State.DONE ? new StackTraceElement[0] : thread.getStackTrace();
    }

    @Override
    public String toString() {
        return node.name() + "/" + name + "#" + id;
    }
}
