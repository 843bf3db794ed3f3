package dev.dormouse.server.view;

import dev.dormouse.TimerInfo;
import dev.dormouse.TimerStatus;
import java.time.Instant;
import java.util.Optional;

/** A timer without a workflow. */
public record TimerView(
        String id,
        String handler,
        TimerStatus status,
        Optional<Instant> fireAt,
        int attempts,
        Optional<String> lastFailure,
        Optional<String> key,
        Instant scheduledAt,
        Optional<Instant> endedAt) {

    public static TimerView of(TimerInfo timer) {
        return new TimerView(
                timer.id().value(),
                timer.handler(),
                timer.status(),
                timer.fireAt(),
                timer.attempts(),
                timer.lastFailure(),
                timer.key(),
                timer.scheduledAt(),
                timer.endedAt());
    }
}
