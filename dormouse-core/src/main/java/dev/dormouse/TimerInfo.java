package dev.dormouse;

import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.Optional;

/**
 * The current state of a timer. Immutable.
 *
 * @param handler the name of its handler
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
        Optional<Instant> endedAt) {

    static TimerInfo of(RunRow row) {
        TimerStatus status = TimerStatus.of(row.status());
        return new TimerInfo(
                new TimerId(TimerTypes.timerId(row.workflowId())),
                TimerTypes.handler(row.type()),
                status,
                status == TimerStatus.PENDING ? Optional.ofNullable(row.wakeAt()) : Optional.empty(),
                0,
                Optional.of(row.trouble()).filter(trouble -> !trouble.isEmpty()),
                Optional.empty(),
                row.createdAt(),
                Optional.ofNullable(row.closedAt()));
    }

    TimerInfo with(int attempts, Optional<String> lastFailure, Optional<String> key) {
        return new TimerInfo(id, handler, status, fireAt, attempts, lastFailure, key, scheduledAt, endedAt);
    }
}
