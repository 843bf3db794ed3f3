package dev.dormouse.testing.sim;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One simulated thread. All but {@link #baton} is touched only by whoever holds the baton. */
final class SimThread {
    enum State {
        /** Can go on when it is chosen. */
        READY,
        RUNNING,
        /** At a gate. */
        WAITING,
        DONE
    }

    /** How often a thread may be told that it is dead before it counts as one that does not listen. */
    private static final int DEATHS = 1_000;

    final int id;
    final SimNode node;
    final String name;
    final boolean isEngine;
    final Runnable body;
    State state = State.READY;
    /** Counts the waits, so that a timeout of an earlier one is not taken for one of this. */
    int waits;
    /** Whether no time ends its present wait. */
    boolean waitsForEver;

    private int deaths;
    private volatile boolean baton;
    private volatile @Nullable Thread carrier;

    /** @param isEngine whether it is one that keeps house, as opposed to one that executes somebody's code */
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

    /** The same for so many nanoseconds of real time; tells whether it came. An interrupt is kept. */
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

    /** Whether a wait of somebody's code will end by itself. */
    boolean awaitsATime() {
        return !isEngine && state == State.WAITING && !waitsForEver;
    }

    void interrupt() {
        Thread thread = carrier;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Whether the thread has been told that it is dead so often that it will never listen. */
    boolean isDeafToDeath() {
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
