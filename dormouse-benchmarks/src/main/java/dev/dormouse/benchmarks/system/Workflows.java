package dev.dormouse.benchmarks.system;

/** Runs workflows. Called by as many threads as workflows are to be in flight. */
public interface Workflows extends AutoCloseable {

    /** Runs a workflow of so many steps that do nothing, and returns when its end is durable. */
    void run(String id, int steps) throws Exception;
}
