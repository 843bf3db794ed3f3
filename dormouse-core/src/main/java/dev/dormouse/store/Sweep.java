package dev.dormouse.store;

import java.util.List;

/**
 * A node's periodic look at the store, in one statement: it says that it lives, and sees what it may have missed.
 *
 * @param lanes the lanes it claims
 * @param queueLanes the lanes of queues that it claims
 * @param alarms how many of the nearest alarms to read ahead
 * @param state what it says of itself
 */
public record Sweep(
        String nodeId, String build, List<String> lanes, List<String> queueLanes, int alarms, NodeState state) {

    /** Of a node that serves no queue, and says nothing of itself. */
    public Sweep(String nodeId, String build, List<String> lanes, int alarms) {
        this(nodeId, build, lanes, List.of(), alarms, NodeState.UNKNOWN);
    }
}
