package dev.dormouse.benchmarks.system;

import java.time.Duration;

/** Separate processes on one database. All end when this is closed. */
public interface NodeProcesses extends AutoCloseable {

    /** Starts a process, and returns when it is ready. */
    NodeProcess launch() throws Exception;

    /** Returns how long a node may be silent before other nodes take over its runs. */
    Duration leasePeriod();
}
