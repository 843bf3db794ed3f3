package dev.dormouse.benchmarks.system;

/** Workflows of ten steps that do nothing and need not be kept one by one. */
public interface Batched extends AutoCloseable {

    /** Runs one, and returns when its end is durable. */
    void run(String id) throws Exception;
}
