package dev.dormouse.plugin;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.store.DefinitionStore;
import java.util.function.Supplier;

/** The services of a node for its {@link Plugin}s. Thread-safe. */
public interface PluginHost {

    /**
     * Returns the Dormouse of this node.
     *
     * @throws dev.dormouse.error.DormouseException DORMOUSE_CLOSED before it is open
     */
    Dormouse dormouse();

    /** Returns the store of workflow definitions. */
    DefinitionStore definitions();

    /**
     * Returns the default activity options, which calls without options use ({@link DormouseBuilder#activityOptions}).
     */
    ActivityOptions activityOptions();

    /**
     * Repeats a question to the store until it responds. Before the node is open, asks only once. For code inside a
     * workflow, where an unavailable store must not fail the run.
     *
     * @param question reads from the store; called again after each {@code StoreException}, on the calling thread
     * @return the answer to the question
     */
    <T> T persist(Supplier<T> question);

    /** Returns the number of shards of the store. */
    int shards();

    /**
     * Serves a queue from now on, or changes its limits.
     *
     * @throws dev.dormouse.error.DormouseException BAD_ARGUMENT if {@code name} is not a valid name of a queue
     */
    void queue(String name, QueueOptions options);

    /** Runs a task periodically, about once per sweep ({@link DormouseBuilder#sweepInterval}), on its own thread. */
    void everySweep(Runnable task);
}
