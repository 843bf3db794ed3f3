package dev.dormouse.internal.engine.observe;

import dev.dormouse.store.Store;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.run.Claimed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What people call other nodes. Thread-safe; whoever claims runs looks those up whose names it does not know. */
public final class NodeNames {
    private final Store store;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    public NodeNames(Store store) {
        this.store = store;
    }

    /** The name that a node has given itself, or else its id. */
    public String of(String nodeId) {
        return names.getOrDefault(nodeId, nodeId);
    }

    /** Learns the names of those from whom runs were taken over. */
    public void learn(int shard, List<Claimed.Run> runs) {
        if (runs.stream().anyMatch(this::isFromAStranger)) {
            try {
                store.nodes(shard).forEach(this::note);
            } catch (RuntimeException noAnswer) {
                return; // nothing but a text for people depends on it
            }
            runs.forEach(run -> names.putIfAbsent(run.from(), run.from())); // is not asked for again
        }
    }

    private boolean isFromAStranger(Claimed.Run run) {
        return !run.from().isEmpty() && !names.containsKey(run.from());
    }

    private void note(NodeRow node) {
        String name = node.state().name();
        names.put(node.nodeId(), name.isEmpty() ? node.nodeId() : name);
    }
}
