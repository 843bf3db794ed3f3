package dev.dormouse.timer;

import java.time.Instant;
import java.util.Optional;

/**
 * The current state of a timer. Immutable.
 *
 * @param id the id of the timer
 * @param handler the name of its handler
 * @param status the present status
 * @param fireAt the next time at which it fires; empty if its handler is executing, or the timer has ended
 * @param attempts the number of failed attempts
 * @param lastFailure the failure of the last attempt, or the problem of a stuck timer
 * @param key the subject of the timer, from {@link TimerOptions#key}; in lists, empty for timers that have not
 *     failed
 * @param scheduledAt the time at which it was scheduled
 * @param endedAt the time at which it fired, failed or was cancelled
 */
public record TimerInfo(
        TimerId id,
        String handler,
        TimerStatus status,
        Optional<Instant> fireAt,
        int attempts,
        Optional<String> lastFailure,
        Optional<String> key,
        Instant scheduledAt,
        Optional<Instant> endedAt) {}
