package dev.dormouse.benchmarks.system;

/** Workflows of ten empty steps that need not be stored one by one. */
public interface BatchedEngine extends AutoCloseable {

    /** Runs a workflow, and returns when its end is durable. */
    void run(String id) throws Exception;
}
