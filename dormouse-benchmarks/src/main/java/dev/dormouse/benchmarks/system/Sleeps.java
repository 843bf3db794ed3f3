package dev.dormouse.benchmarks.system;

import java.time.Duration;

/** Workflows that sleep. Called by as many threads as are to sleep at a time. */
public interface Sleeps extends AutoCloseable {

    /** Runs a workflow that sleeps once, and returns by how much it woke too late, as its own code saw it. */
    Duration sleep(String id, Duration time) throws Exception;
}
