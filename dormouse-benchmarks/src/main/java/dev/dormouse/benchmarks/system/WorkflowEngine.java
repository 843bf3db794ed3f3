package dev.dormouse.benchmarks.system;

/** A system that runs workflows. Called by one thread for each workflow in flight. */
public interface WorkflowEngine extends AutoCloseable {

    /** Runs a workflow of {@code steps} empty steps, and returns when its end is durable. */
    void run(String id, int steps) throws Exception;
}
