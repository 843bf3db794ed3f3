package dev.dormouse.internal.thread;

import java.time.Duration;

/**
 * Where one thread waits until another lets it through. Opening an open gate changes nothing; passing through closes it
 * again, so that no opening is lost and several may count as one. One thread waits at a gate at a time.
 */
public interface Gate {
    void open();

    /** Waits until the gate is open, then closes it behind itself. An interrupt does not end the wait and is kept. */
    void pass();

    /** The same, but for no longer than this; tells whether the gate was open. Very long waits count as for ever. */
    boolean pass(Duration atMost);
}
