package dev.dormouse;

import dev.dormouse.engine.TimerTypes;
import dev.dormouse.store.RunRow;
import java.time.Instant;
import java.util.Optional;

/**
 * Where a timer stands.
 *
 * @param handler the name of what it calls
 * @param fireAt when it fires, for the first time or again; empty when it fires now, or has ended
 * @param attempts how many attempts have failed so far
 * @param lastFailure what the last one failed with, or what holds a stuck one up
 * @param key what it is about, as {@link TimerOptions#key} said; empty in lists for timers that have not failed
 * @param scheduledAt when it was scheduled
 * @param endedAt when it has fired, failed or was cancelled
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
