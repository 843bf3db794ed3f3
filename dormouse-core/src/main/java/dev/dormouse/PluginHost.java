package dev.dormouse;

import dev.dormouse.store.DefinitionStore;
import java.util.function.Supplier;

/** What a {@link Plugin} may use of the node that it is part of. Thread-safe. */
public interface PluginHost {

    /**
     * The Dormouse that is opened.
     *
     * @throws dev.dormouse.error.DormouseException DORMOUSE_CLOSED before it is open
     */
    Dormouse dormouse();

    /** Where workflows are kept that are data. */
    DefinitionStore definitions();

    /** How activities are executed whose call says nothing else. */
    ActivityOptions activityOptions();

    /**
     * Asks the store until it answers, for code that runs in a workflow: a store that is away must not be a failure of the
     * run.
     */
    <T> T persist(Supplier<T> question);

    /** Into how many shards the store is divided. */
    int shards();

    /** Serves a queue from now on, or with other limits than before. */
    void queue(String name, QueueOptions options);

    /** Has this run now and then, on a thread of its own, about as often as the node looks for what it may have missed. */
    void nowAndThen(Runnable task);
}
