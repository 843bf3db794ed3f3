package dev.dormouse.benchmarks.system;

/** Workflows that can be told and asked something while they run. */
public interface Mail extends AutoCloseable {

    /** Starts a workflow that waits for mail. */
    void begin(String id) throws Exception;

    /** Sends it something that it takes note of; returns when that is durable. */
    void tell(String id) throws Exception;

    /** Asks it something, and returns when its answer is there. One thread for each workflow. */
    void ask(String id) throws Exception;
}
