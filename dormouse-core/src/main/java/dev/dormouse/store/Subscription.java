package dev.dormouse.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run's wait for an event. It lives in the shard of its workflow id, and is kept until it is taken back, its time has
 * passed, or its workflow id is purged.
 *
 * @param id made by the run: no other subscription of its workflow id has it
 * @param event the name of the event
 * @param key events whose keys include this one are looked at more closely, all others do not concern it
 * @param match what an event must be like, for the engine to know; stores keep it as it is
 * @param until the instant from which no event concerns it any more; null for none
 */
public record Subscription(
        String workflowId,
        String id,
        String event,
        String key,
        byte[] match,
        @Nullable Instant until) {}
