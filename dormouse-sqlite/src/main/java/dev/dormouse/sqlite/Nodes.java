package dev.dormouse.sqlite;

import dev.dormouse.store.NodeRow;
import dev.dormouse.store.NodeState;
import dev.dormouse.store.Sweep;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes that use the store. All of them are in this process, and none outlives it: there is nothing to write down,
 * so that an idle node's sweep costs no write.
 */
final class Nodes {
    private record Key(int shard, String nodeId) {}

    private final Map<Key, NodeRow> rows = new ConcurrentHashMap<>();

    void seen(int shard, Sweep sweep, Instant now) {
        rows.compute(new Key(shard, sweep.nodeId()), (key, known) -> {
            Instant startedAt = known == null ? now : known.startedAt();
            return new NodeRow(sweep.nodeId(), sweep.build(), sweep.served(), startedAt, now, sweep.state());
        });
    }

    /** What a node says of itself, if it is known. */
    void said(int shard, String nodeId, NodeState state) {
        rows.computeIfPresent(new Key(shard, nodeId), (key, known) -> known.with(state));
    }

    void left(int shard, String nodeId) {
        rows.remove(new Key(shard, nodeId));
    }

    List<NodeRow> in(int shard) {
        return rows.entrySet().stream()
                .filter(entry -> entry.getKey().shard() == shard)
                .map(Map.Entry::getValue)
                .toList();
    }
}
