package dev.dormouse;

import dev.dormouse.store.RunRow;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a run stands.
 *
 * @param node the node that holds it, empty when none does
 * @param wakeAt its alarm: until when it waits, or how long its node's lease lasts
 * @param wakeReason what that alarm stands for
 * @param trouble what holds a stuck run up, or a due run that no living node executes; empty otherwise, and in lists
 *     of runs that are not stuck
 * @param historyLength how many events it has
 * @param takeovers how many nodes died since its last event while it may have executed on them
 * @param memo the notes of its start; empty in lists
 * @param steps what has been tried and is not over; empty in lists
 */
public record RunDescription(
        String workflowId,
        UUID runId,
        String type,
        RunStatus status,
        String node,
        Optional<Instant> wakeAt,
        WakeReason wakeReason,
        String trouble,
        int historyLength,
        Instant startedAt,
        Optional<Instant> closedAt,
        int takeovers,
        Map<String, String> memo,
        List<StepDescription> steps) {

    static RunDescription of(RunRow row, Map<String, String> memo, List<StepDescription> steps) {
        return of(row, row.trouble(), memo, steps);
    }

    static RunDescription of(RunRow row, String trouble, Map<String, String> memo, List<StepDescription> steps) {
        return new RunDescription(
                row.workflowId(),
                row.runId(),
                row.type(),
                row.status(),
                row.owner(),
                Optional.ofNullable(row.wakeAt()),
                row.wakeReason(),
                trouble,
                row.nextSeq(),
                row.createdAt(),
                Optional.ofNullable(row.closedAt()),
                row.takeovers(),
                memo,
                steps);
    }
}
