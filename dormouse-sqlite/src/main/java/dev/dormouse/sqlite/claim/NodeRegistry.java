package dev.dormouse.sqlite.claim;

import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.run.Sweep;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes that use the store. All of them live in this process and end with it, so they are kept in memory and an
 * idle node's sweep writes nothing. Thread-safe: each change is one atomic operation of a concurrent map.
 */
public final class NodeRegistry {
    private record Key(int shard, String nodeId) {}

    private final Map<Key, NodeRow> rows = new ConcurrentHashMap<>();

    public void seen(int shard, Sweep sweep, Instant now) {
        rows.compute(new Key(shard, sweep.nodeId()), (key, known) -> {
            Instant startedAt = known == null ? now : known.startedAt();
            return new NodeRow(sweep.nodeId(), sweep.build(), sweep.served(), startedAt, now, sweep.state());
        });
    }

    /** Updates the state that a node reports, if the node is registered. */
    public void said(int shard, String nodeId, NodeState state) {
        rows.computeIfPresent(new Key(shard, nodeId), (key, known) -> known.with(state));
    }

    public void left(int shard, String nodeId) {
        rows.remove(new Key(shard, nodeId));
    }

    public List<NodeRow> in(int shard) {
        return rows.entrySet().stream()
                .filter(entry -> entry.getKey().shard() == shard)
                .map(Map.Entry::getValue)
                .toList();
    }
}
