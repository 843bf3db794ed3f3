package dev.dormouse.internal.run;

import dev.dormouse.store.queue.QueueClaim;
import org.jspecify.annotations.Nullable;

/**
 * What a node goes by when it serves a queue.
 *
 * @param perNode how many runs of it execute here at a time; 0: any number
 * @param total how many on all nodes together; 0: any number
 * @param rate how many begin in a period; null: any number
 * @param keyRate how many begin in a period for each key; null: any number
 */
public record QueueLimits(int perNode, int total, QueueClaim.@Nullable Rate rate, QueueClaim.@Nullable Rate keyRate) {}
