package dev.dormouse.benchmarks.database;

/** Statistics that a server has about one of its databases. */
public interface DatabaseStatistics {

    /** Returns the number of statements so far, except those of this interface. */
    long statements();

    /** Returns the number of transactions of the whole server so far that have written something. */
    long commits();

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
