package dev.dormouse.internal.thread;

import java.time.Duration;

/**
 * A loop on an engine thread of its own. It executes turns until it is closed. A turn waits for work and does it, in an
 * order that the loop chooses. A loop that an error ends is restarted; see {@link Supervised}.
 *
 * <p><b>Concurrency.</b> Any thread may call {@link #wake} and {@link #close}; the other methods are for the loop's
 * thread. Guaranteed: no wake-up is lost. It ends the wait in progress, or else the next one. So a thread that changes
 * state and then calls {@link #wake} knows that the loop reads the new state, if each turn reads all state after it has
 * waited. A request flag must be reset before the state that it stands for is read: a request that is made in between
 * then causes one more turn. Several wake-ups may count as one. {@link #close} ends the wait or rest in progress or the
 * next one, and no turn begins after it. It does not wait for the turn in progress.
 */
public abstract class Loop implements Runnable {
    private final Threads threads;
    private final Gate gate;
    private final Gate end;
    private volatile boolean closed;

    protected Loop(Threads threads) {
        this(threads, threads.newGate());
    }

    /** @param gate the gate at which the loop waits, if other objects open it too */
    protected Loop(Threads threads, Gate gate) {
        this.threads = threads;
        this.gate = gate;
        this.end = threads.newGate();
    }

    /** Starts the loop's thread. */
    public final void start(String name) {
        threads.startEngine(name, new Supervised(threads, name, this));
    }

    /** Executes turns until the loop is closed. */
    @Override
    public void run() {
        while (!closed) {
            turn();
        }
    }

    /** Waits for work and does it. Must wait at least once, so that the loop does not spin. */
    protected abstract void turn();

    /** Ends the wait in progress, or else the next one. */
    protected final void wake() {
        gate.open();
    }

    /** Waits for a wake-up. */
    protected final void await() {
        gate.pass();
    }

    /** Waits for a wake-up, at most for {@code atMost}. Returns true if there was one. */
    protected final boolean await(Duration atMost) {
        return gate.pass(atMost);
    }

    /** Waits for {@code time} unless the loop is closed before. A wake-up does not end it, but the next wait. */
    protected final void rest(Duration time) {
        end.pass(time);
    }

    protected final boolean isClosed() {
        return closed;
    }

    /** Ends the loop after the turn in progress. */
    public void close() {
        closed = true;
        gate.open();
        end.open();
    }
}
