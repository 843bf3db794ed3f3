package dev.dormouse.benchmarks.system;

import java.time.Duration;

/** Processes of their own on one database. All end when this is closed. */
public interface Nodes extends AutoCloseable {

    /** Starts one, and returns when it is ready. */
    Node launch() throws Exception;

    /** How long a node may be silent before others take over what it has. */
    Duration leasePeriod();
}
