package dev.dormouse.store;

import java.util.List;
import java.util.stream.Stream;

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

    /**
     * The names of all that the node executes, for its row: its lanes, and for each queue that it serves the queue's name with an {@code @}
     * behind it. It takes each of its types from each of its queues.
     */
    public List<String> served() {
        Stream<String> queues = queueLanes.stream().map(lane -> lane.substring(0, lane.indexOf('@') + 1));
        return Stream.concat(lanes.stream(), queues).distinct().toList();
    }

    /** Of a node that serves no queue, and says nothing of itself. */
    public Sweep(String nodeId, String build, List<String> lanes, int alarms) {
        this(nodeId, build, lanes, List.of(), alarms, NodeState.UNKNOWN);
    }
}
