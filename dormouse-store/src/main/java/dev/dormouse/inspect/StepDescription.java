package dev.dormouse.inspect;

import java.time.Instant;
import java.util.Optional;

/**
 * A step that was tried and has not ended. A step in its first attempt is included only after it has reported progress
 * with {@code Activity.heartbeat}. Immutable.
 *
 * @param name the name of the step; for an activity, such as {@code Mail.welcome}
 * @param attempt the number of the last known attempt, from 1
 * @param nextAttemptAt the start of the next attempt; empty if an attempt is executing, or is handed out
 * @param lastFailure the failure of the last attempt; ends with "(looks like a bug: …)" if at least three attempts in a
 *     row have failed with the same programming error, such as a {@code NullPointerException}
 * @param pause the name of its pause; empty if it is not paused
 * @param handedOut true if it waits for {@code Dormouse.completeActivity}
 * @param progress the last progress that it reported with {@code Activity.heartbeat}
 */
public record StepDescription(
        String name,
        int attempt,
        Optional<Instant> nextAttemptAt,
        Optional<String> lastFailure,
        Optional<String> pause,
        boolean handedOut,
        Optional<String> progress) {}
