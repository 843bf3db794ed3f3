package dev.dormouse.internal.thread;

import java.time.Duration;

/**
 * A place where one thread waits until another thread lets it through.
 *
 * <p>Any thread may open it; at most one thread at a time waits. Opening an open gate has no effect, and passing
 * through closes it. So no opening is lost, and several openings may count as one: after passing, the waiting thread
 * must check everything that it waits for.
 */
public interface Gate {
    /** Opens the gate and wakes the thread that waits at it. */
    void open();

    /** Waits until the gate is open, then closes it. An interrupt does not end the wait and is kept. */
    void pass();

    /**
     * Waits until the gate is open or {@code atMost} has passed, then closes it. Very long waits count as unlimited. An
     * interrupt does not end the wait and is kept. Returns true if the gate was open.
     */
    boolean pass(Duration atMost);
}
