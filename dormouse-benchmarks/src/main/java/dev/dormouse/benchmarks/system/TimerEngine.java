package dev.dormouse.benchmarks.system;

import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/** A system that calls code at an instant. */
public interface TimerEngine extends AutoCloseable {

    /** Starts to fire: calls {@code fired} with the number of a timer, from any thread. */
    void start(IntConsumer fired) throws Exception;

    /**
     * Sets timers in the engine's fastest way, and returns when all are durable. They are numbered from {@code first}.
     */
    void set(int first, List<Instant> due) throws Exception;

    /**
     * Returns the number of timers that can surely be set per second: timers that are due at once must be set before.
     */
    int setsPerSecond();
}
