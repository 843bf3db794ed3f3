package dev.dormouse.benchmarks.database;

/** What a server tells of one of its databases. */
public interface Insight {

    /** Statements so far, other than those of this interface. */
    long statements();

    /** Transactions of the whole server so far that have written something. */
    long commits();

    /** How often statements were made so far whose text has this in it, and what the server took for them. */
    Spent spent(String text);

    /** Bytes on disk. */
    long bytes();

    /** Keeps all old row versions from being cleaned up until it is closed. */
    AutoCloseable holdSnapshot();

    /** Calls, and the milliseconds for them all. */
    record Spent(long calls, double millis) {}
}
