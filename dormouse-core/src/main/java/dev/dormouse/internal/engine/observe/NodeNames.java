package dev.dormouse.internal.engine.observe;

import dev.dormouse.store.Store;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.run.Claimed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The display names of other nodes. Thread-safe: the loops that claim runs look up names that are not known yet. */
public final class NodeNames {
    private final Store store;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    public NodeNames(Store store) {
        this.store = store;
    }

    /** Returns the display name of a node, or its id if the name is unknown or empty. */
    public String of(String nodeId) {
        return names.getOrDefault(nodeId, nodeId);
    }

    /** Looks up the names of the nodes from which runs were taken over. */
    public void learn(int shard, List<Claimed.Run> runs) {
        if (runs.stream().anyMatch(this::isFromUnknownNode)) {
            try {
                store.nodes(shard).forEach(this::note);
            } catch (RuntimeException noAnswer) {
                return; // only log texts depend on it
            }
            runs.forEach(run -> names.putIfAbsent(run.from(), run.from())); // not looked up again
        }
    }

    private boolean isFromUnknownNode(Claimed.Run run) {
        return !run.from().isEmpty() && !names.containsKey(run.from());
    }

    private void note(NodeRow node) {
        String name = node.state().name();
        names.put(node.nodeId(), name.isEmpty() ? node.nodeId() : name);
    }
}
