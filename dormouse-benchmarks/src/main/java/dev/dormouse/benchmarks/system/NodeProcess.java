package dev.dormouse.benchmarks.system;

import java.time.Duration;

/** A process with an engine in it. Not thread-safe: one request at a time. */
public interface NodeProcess {

    /** Runs one-step workflows with {@code inFlight} in flight. Returns the rate per second. */
    double load(int inFlight, Duration warmUp, Duration window) throws Exception;

    /** Starts workflows in a step that never ends on this node, but ends at once on a node that takes them over. */
    void hold(int runs) throws Exception;

    /** Returns how many of the held workflows it has taken over. */
    int resumed() throws Exception;

    /** Starts workflows that sleep for hours; returns when all are asleep. */
    void sleep(int runs) throws Exception;

    /** Sets timers that are due one after the other, and measures their lateness. */
    Lateness lateness(int timers, Duration over) throws Exception;

    Usage usage() throws Exception;

    /** Kills the process. */
    void kill();

    /**
     * The resource usage of the process.
     *
     * @param heap bytes in use after a garbage collection
     * @param rss resident memory in bytes; 0 if the system does not report it
     */
    record Usage(long heap, long rss, int threads) {}

    /** The lateness of timers in milliseconds, and the number of early ones. */
    record Lateness(double p50, double p99, double max, long early) {}
}
