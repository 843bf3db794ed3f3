package dev.dormouse.store;

import java.time.Instant;
import java.util.List;

/**
 * A node as its peers see it.
 *
 * @param build which build of the workflows it runs
 * @param lanes what it claims, see {@link Sweep#served}
 * @param seenAt when it last swept, by the store's clock
 * @param state what it last said of itself
 */
public record NodeRow(
        String nodeId, String build, List<String> lanes, Instant startedAt, Instant seenAt, NodeState state) {

    /** Of a node that has said nothing of itself. */
    public NodeRow(String nodeId, String build, List<String> lanes, Instant startedAt, Instant seenAt) {
        this(nodeId, build, lanes, startedAt, seenAt, NodeState.UNKNOWN);
    }

    /** The same, in another state. */
    public NodeRow with(NodeState other) {
        return new NodeRow(nodeId, build, lanes, startedAt, seenAt, other);
    }
}
