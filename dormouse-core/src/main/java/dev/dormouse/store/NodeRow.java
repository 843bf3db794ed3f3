package dev.dormouse.store;

import java.time.Instant;
import java.util.List;

/**
 * A node as its peers see it.
 *
 * @param build which build of the workflows it runs
 * @param lanes what it claims
 * @param seenAt when it last swept, by the store's clock
 */
public record NodeRow(String nodeId, String build, List<String> lanes, Instant startedAt, Instant seenAt) {}
