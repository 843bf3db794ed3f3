package dev.dormouse.store.page;

import java.time.Duration;
import java.time.Instant;

/**
 * The counters of one node for a slot of time. Only that node writes them, always as a whole.
 *
 * @param slot when the slot begins, by the store's clock
 * @param length the length of the slot, in whole seconds
 */
public record Tally(String nodeId, Instant slot, Duration length, TallyCounts counts) {}
