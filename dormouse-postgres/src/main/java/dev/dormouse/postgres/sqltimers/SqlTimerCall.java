package dev.dormouse.postgres.sqltimers;

import java.util.Optional;

/**
 * One attempt of a handler timer. Shard key and id together identify the timer, and make a good idempotency key.
 * Immutable.
 *
 * @param handler the name of the handler
 * @param id the number of the timer, unique among the timers of its shard key
 * @param shardKey the shard key of the timer; 0 by default
 * @param attempt 1 for the first
 * @param payload the payload as JSON; empty if there is none
 */
public record SqlTimerCall(String handler, long id, long shardKey, int attempt, Optional<String> payload) {}
