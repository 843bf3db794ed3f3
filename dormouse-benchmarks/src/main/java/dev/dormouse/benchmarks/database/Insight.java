package dev.dormouse.benchmarks.database;

/** What a server tells of one of its databases. */
public interface Insight {

    /** Statements so far, other than those of this interface. */
    long statements();

    /** Commits so far. */
    long commits();

    /** Milliseconds of the server that statements have taken so far whose text has this in it. */
    Spent spent(String text);

    /** Bytes on disk. */
    long bytes();

    /** Keeps all old row versions from being cleaned up until it is closed. */
    AutoCloseable holdSnapshot();

    /** Calls, and the time for them all. */
    record Spent(long calls, double millis) {}
}
