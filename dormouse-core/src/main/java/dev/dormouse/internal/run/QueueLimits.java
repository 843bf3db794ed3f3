package dev.dormouse.internal.run;

import dev.dormouse.store.queue.QueueClaim;
import org.jspecify.annotations.Nullable;

/**
 * The limits by which a node serves a queue.
 *
 * @param perNode the number of its runs that execute on this node at the same time; 0 for no limit
 * @param total the number on all nodes together; 0 for no limit
 * @param rate the number that start per period; null for no limit
 * @param keyRate the number that start per period for each key; null for no limit
 */
public record QueueLimits(int perNode, int total, QueueClaim.@Nullable Rate rate, QueueClaim.@Nullable Rate keyRate) {}
