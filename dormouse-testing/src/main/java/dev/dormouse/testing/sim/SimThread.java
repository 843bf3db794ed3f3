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
    final Runnable body;
    State state = State.READY;
    /** Counts the waits, so that a timeout of an earlier one is not taken for one of this. */
    int waits;

    private int deaths;
    private volatile boolean baton;
    private volatile @Nullable Thread carrier;

    SimThread(int id, SimNode node, String name, Runnable body) {
        this.id = id;
        this.node = node;
        this.name = name;
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
        boolean interrupted = false;
        while (!baton) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        baton = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
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
