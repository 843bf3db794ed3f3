package dev.dormouse.benchmarks.database;

import java.time.Duration;
import java.util.Optional;

/** Statistics that a server has about one of its databases. */
public interface DatabaseStatistics {

    /** Returns the number of statements so far, except those of this interface. */
    long statements();

    /** Returns the number of transactions of the whole server so far that have written something. */
    long commits();

    /** Returns the number of bytes of WAL that the whole server has written so far. */
    long walBytes();

    /**
     * Returns the processor time of all processes of the server so far; empty if it is unknown, for example because
     * they run on another machine. Never decreases.
     */
    Optional<Duration> processorTime();

    /**
     * Returns the number of executions so far of statements whose text contains {@code text}, and the server's time for
     * them.
     */
    Spent spent(String text);

    /** Returns the size on disk in bytes. */
    long bytes();

    /** Prevents the removal of all old row versions until it is closed. */
    AutoCloseable holdSnapshot();

    /** The number of calls, and their total time in milliseconds. */
    record Spent(long calls, double millis) {}
}
