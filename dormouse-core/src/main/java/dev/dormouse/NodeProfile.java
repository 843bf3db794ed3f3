package dev.dormouse;

import dev.dormouse.store.StoreProfile;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node is, and what it has.
 *
 * @param store where it keeps its runs
 * @param workflows the types that are registered here, by name
 * @param handlers of timers, by name
 */
public record NodeProfile(StoreProfile store, SortedMap<String, Methods> workflows, SortedSet<String> handlers) {

    /** The names under which a workflow can be told or asked something; none where it is a function. */
    public record Methods(SortedSet<String> signals, SortedSet<String> queries, SortedSet<String> updates) {
        static Methods of(WorkflowMethods methods) {
            return new Methods(sorted(methods.signals()), sorted(methods.queries()), sorted(methods.updates()));
        }

        private static SortedSet<String> sorted(Map<String, ?> methods) {
            return new TreeSet<>(methods.keySet());
        }
    }

    static NodeProfile of(StoreProfile store, Collection<WorkflowDefinition> workflows, Set<String> handlers) {
        SortedMap<String, Methods> methods = new TreeMap<>();
        workflows.forEach(workflow -> methods.put(workflow.name(), Methods.of(workflow.methods())));
        return new NodeProfile(store, methods, new TreeSet<>(handlers));
    }
}
