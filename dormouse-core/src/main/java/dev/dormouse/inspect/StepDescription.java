package dev.dormouse.inspect;

import dev.dormouse.Activity;
import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.run.OpenStep;
import java.time.Instant;
import java.util.Optional;

/**
 * A step that was tried and has not ended. A step in its first attempt is included only after it has reported progress
 * with {@link Activity#heartbeat(Object)}. Immutable.
 *
 * @param name the name of the step; for an activity, such as {@code Mail.welcome}
 * @param attempt the number of the last known attempt, from 1
 * @param nextAttemptAt the start of the next attempt; empty if an attempt is executing, or is handed out
 * @param lastFailure the failure of the last attempt
 * @param pause the name of its pause; empty if it is not paused
 * @param handedOut true if it waits for {@link Dormouse#completeActivity}
 * @param progress the last progress that it reported with {@link Activity#heartbeat(Object)}
 */
public record StepDescription(
        String name,
        int attempt,
        Optional<Instant> nextAttemptAt,
        Optional<String> lastFailure,
        Optional<String> pause,
        boolean handedOut,
        Optional<String> progress) {
}
