package dev.dormouse.store.base;

import dev.dormouse.store.run.Sweep;
import java.time.Instant;
import java.util.List;

/**
 * A node as other nodes see it.
 *
 * @param build the build of the workflows that it runs
 * @param lanes the lanes that it claims, see {@link Sweep#served}
 * @param seenAt when it last swept, by the store's clock
 * @param state the last state that it reported
 */
public record NodeRow(
        String nodeId, String build, List<String> lanes, Instant startedAt, Instant seenAt, NodeState state) {

    /** Creates the row of a node that has not reported its state. */
    public NodeRow(String nodeId, String build, List<String> lanes, Instant startedAt, Instant seenAt) {
        this(nodeId, build, lanes, startedAt, seenAt, NodeState.UNKNOWN);
    }

    /** Returns this row with another state. */
    public NodeRow with(NodeState other) {
        return new NodeRow(nodeId, build, lanes, startedAt, seenAt, other);
    }
}
