package dev.dormouse.engine;

import dev.dormouse.store.NodeRow;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What people call other nodes. Each that is not known is looked up once. Thread-safe. */
final class NodeNames {
    private final Store store;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    NodeNames(Store store) {
        this.store = store;
    }

    /** The name that a node has given itself, or else its id. */
    String of(int shard, String nodeId) {
        String known = names.get(nodeId);
        return known == null ? lookUp(shard, nodeId) : known;
    }

    private synchronized String lookUp(int shard, String nodeId) {
        if (!names.containsKey(nodeId)) {
            try {
                store.nodes(shard).forEach(this::note);
            } catch (StoreException noAnswer) {
                return nodeId; // nothing but a text for people depends on it
            }
            names.putIfAbsent(nodeId, nodeId);
        }
        return names.getOrDefault(nodeId, nodeId);
    }

    private void note(NodeRow node) {
        String name = node.state().name();
        names.put(node.nodeId(), name.isEmpty() ? node.nodeId() : name);
    }
}
