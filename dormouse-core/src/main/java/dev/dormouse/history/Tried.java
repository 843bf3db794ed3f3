package dev.dormouse.history;

import dev.dormouse.codec.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the attempts of a step have come to so far.
 *
 * @param attempt the number of the last one, from 1; a pause does not count, the death of its node does
 * @param firstStartedAt when the first one began that is known of
 * @param startedAt when the last one began
 * @param details what it said last of its progress
 * @param checkpoint what it wants to be given again after a pause or failure
 */
public record Tried(
        int attempt,
        Instant firstStartedAt,
        Instant startedAt,
        @Nullable Payload details,
        @Nullable Payload checkpoint) {}
