package dev.dormouse.store;

import java.time.Duration;

/**
 * What a node says of itself for others to look at. Nothing is decided by it.
 *
 * @param name for people; empty where it has none
 * @param executing how many runs execute there
 * @param parked how many wait in its memory
 * @param slots how many may execute there at a time
 * @param leasePeriod how long it may be silent before others take its runs over
 * @param recovered how many runs it has taken over from others since it began
 */
public record NodeState(String name, int executing, int parked, int slots, Duration leasePeriod, long recovered) {
    public static final NodeState UNKNOWN = new NodeState("", 0, 0, 0, Duration.ZERO, 0);
}
