package dev.dormouse.postgres.sqltimers;

import java.util.Optional;

/**
 * One attempt of a handler timer. Shard key and id together identify the timer, and make a good idempotency key.
 *
 * @param attempt 1 for the first
 * @param payload the payload as JSON, if there is one
 */
public record SqlTimerCall(String handler, long id, long shardKey, int attempt, Optional<String> payload) {}
