package dev.dormouse.store.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run's wait for an event. It is stored in the shard of its workflow id until it is deleted, it expires, or its
 * workflow id is purged.
 *
 * @param id an id from the run, unique among the subscriptions of its workflow id
 * @param event the name of the event
 * @param key the key: only events whose keys include this one are matched against the subscription
 * @param match the encoded condition that an event must meet, defined by the engine; stores keep it unchanged
 * @param until the instant from which the subscription has expired; null for never
 */
public record Subscription(
        String workflowId,
        String id,
        String event,
        String key,
        byte[] match,
        @Nullable Instant until) {}
