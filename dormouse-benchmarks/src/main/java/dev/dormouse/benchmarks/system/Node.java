package dev.dormouse.benchmarks.system;

import java.time.Duration;

/** A process with an engine in it. One question at a time. */
public interface Node {

    /** Runs one-step workflows with so many in flight; tells how many per second. */
    double load(int inFlight, Duration warmUp, Duration window) throws Exception;

    /** Starts workflows that are in a step which does not end here, but would at once on any node that takes them over. */
    void hold(int runs) throws Exception;

    /** How many of those it has taken over. */
    int resumed() throws Exception;

    /** Starts workflows that sleep for hours; returns when all are asleep. */
    void sleep(int runs) throws Exception;

    /** Sets timers that are due one after the other. */
    Lateness lateness(int timers, Duration over) throws Exception;

    Usage usage() throws Exception;

    /** Ends it at once, without a word. */
    void kill();

    /**
     * What the process takes.
     *
     * @param heap bytes in use after a collection
     * @param rss bytes of memory; 0 where the system does not tell
     */
    record Usage(long heap, long rss, int threads) {}

    /** By how many milliseconds timers were late; and how many were early. */
    record Lateness(double p50, double p99, double max, long early) {}
}
