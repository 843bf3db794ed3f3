package dev.dormouse.benchmarks.system;

import java.time.Instant;
import java.util.List;
import java.util.function.IntConsumer;

/** Calls code at an instant. */
public interface Timers extends AutoCloseable {

    /** Begins to fire: calls this with the number of a timer, from any thread. */
    void start(IntConsumer fired) throws Exception;

    /**
     * Sets timers in the fastest way the engine has, and returns when all are durable. The first has this number, the
     * next ones those that follow.
     */
    void set(int first, List<Instant> due) throws Exception;

    /** How many it can surely set in a second: those that are to be due at once must be set before that. */
    int setsPerSecond();
}
