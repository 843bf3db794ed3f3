package dev.dormouse.benchmarks.system;

/** Workflows that receive messages and answer questions while they run. */
public interface MessageEngine extends AutoCloseable {

    /** Starts a workflow that waits for messages. */
    void begin(String id) throws Exception;

    /** Sends a message, and returns when it is durable. */
    void tell(String id) throws Exception;

    /** Asks a question, and returns when the answer has arrived. One thread per workflow. */
    void ask(String id) throws Exception;
}
