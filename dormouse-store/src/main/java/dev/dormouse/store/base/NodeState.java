package dev.dormouse.store.base;

import java.time.Duration;

/**
 * The state that a node reports, for dashboards. The engine decides nothing by it.
 *
 * @param name a name for people; empty if it has none
 * @param executing the number of runs that execute on the node
 * @param parked the number of runs that wait in its memory
 * @param slots the maximum number of runs that execute at a time
 * @param leasePeriod how long the node can be silent before other nodes take over its runs
 * @param recovered the number of runs that it has taken over from other nodes since it started
 */
public record NodeState(String name, int executing, int parked, int slots, Duration leasePeriod, long recovered) {
    /** The state of a node that has not reported one. */
    public static final NodeState UNKNOWN = new NodeState("", 0, 0, 0, Duration.ZERO, 0);
}
