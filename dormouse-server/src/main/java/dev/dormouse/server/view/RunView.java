package dev.dormouse.server.view;

import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A run, as lists show it. */
public record RunView(
        String workflowId,
        UUID runId,
        String type,
        RunStatus status,
        String node,
        Optional<Instant> wakeAt,
        WakeReason wakeReason,
        String trouble,
        int events,
        Instant startedAt,
        Optional<Instant> closedAt,
        int takeovers) {

    public static RunView of(RunDescription run) {
        return new RunView(
                run.workflowId(),
                run.runId(),
                run.type(),
                run.status(),
                run.node(),
                run.wakeAt(),
                run.wakeReason(),
                run.trouble(),
                run.historyLength(),
                run.startedAt(),
                run.closedAt(),
                run.takeovers());
    }
}
