package dev.dormouse.benchmarks.system;

import java.time.Duration;

/** Workflows that sleep. Called by one thread for each concurrent sleep. */
public interface SleepEngine extends AutoCloseable {

    /** Runs a workflow that sleeps once. Returns its lateness as seen by the workflow's code. */
    Duration sleep(String id, Duration time) throws Exception;
}
