package dev.dormouse.inspect;

import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The store and the registered types of a node. Immutable.
 *
 * @param store the store of this node
 * @param workflows the registered workflow types, by name
 * @param handlers the names of the registered timer handlers
 */
public record NodeProfile(StoreProfile store, SortedMap<String, Methods> workflows, SortedSet<String> handlers) {

    /**
     * The names of a workflow's signals, queries and updates; empty if the workflow is a function. Immutable.
     *
     * @param signals the names of its {@code @SignalMethod} methods
     * @param queries the names of its {@code @QueryMethod} methods
     * @param updates the names of its {@code @UpdateMethod} methods
     */
    public record Methods(SortedSet<String> signals, SortedSet<String> queries, SortedSet<String> updates) {}
}
