package dev.dormouse.store;

import java.time.Duration;
import java.time.Instant;

/**
 * What one node has counted in a slot of time. Nobody but the node writes it, always as a whole.
 *
 * @param slot when the slot begins, by the store's clock
 * @param length how long it is, in whole seconds
 */
public record Tally(String nodeId, Instant slot, Duration length, TallyCounts counts) {}
