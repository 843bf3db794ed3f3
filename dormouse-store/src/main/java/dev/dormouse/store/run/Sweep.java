package dev.dormouse.store.run;

import dev.dormouse.store.base.NodeState;
import java.util.List;
import java.util.stream.Stream;

/**
 * A node's periodic request to the store, in one statement. It records that the node is alive and reads what the node
 * may have missed.
 *
 * @param lanes the lanes that it claims
 * @param queueLanes the lanes of queues that it claims
 * @param alarms the number of nearest alarms to read ahead
 * @param state the state that it reports
 */
public record Sweep(
        String nodeId, String build, List<String> lanes, List<String> queueLanes, int alarms, NodeState state) {

    /**
     * Returns the names of everything that the node executes, for its row: its lanes, and the name of each queue that
     * it serves followed by {@code @}. It claims each of its types from each of its queues.
     */
    public List<String> served() {
        Stream<String> queues = queueLanes.stream().map(lane -> lane.substring(0, lane.indexOf('@') + 1));
        return Stream.concat(lanes.stream(), queues).distinct().toList();
    }

    /** Creates the sweep of a node that serves no queue and reports no state. */
    public Sweep(String nodeId, String build, List<String> lanes, int alarms) {
        this(nodeId, build, lanes, List.of(), alarms, NodeState.UNKNOWN);
    }
}
