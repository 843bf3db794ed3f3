package dev.dormouse.internal.history;

import dev.dormouse.codec.Payload;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a step's attempts so far.
 *
 * @param attempt the number of the last attempt, from 1; a pause does not count as an attempt, a crash of its node does
 * @param firstStartedAt when the first known attempt began
 * @param startedAt when the last attempt began
 * @param details the last progress that it reported; null if none
 * @param checkpoint the value that the next attempt gets after a pause or failure; null if none
 */
public record Tried(
        int attempt,
        Instant firstStartedAt,
        Instant startedAt,
        @Nullable Payload details,
        @Nullable Payload checkpoint) implements Writable {

    static Tried read(EventReader in) {
        return new Tried(
                in.count(),
                in.instant(),
                in.instant(),
                in.optional(EventReader::payload),
                in.optional(EventReader::payload));
    }

    @Override
    public void write(EventWriter out) {
        out.number(attempt);
        out.instant(firstStartedAt);
        out.instant(startedAt);
        out.optional(details);
        out.optional(checkpoint);
    }
}
