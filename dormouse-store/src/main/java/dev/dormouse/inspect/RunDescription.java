package dev.dormouse.inspect;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The current state of a run. Immutable.
 *
 * @param workflowId the workflow id
 * @param runId the id of the run
 * @param type the workflow type
 * @param status the status
 * @param node the node that holds the run; empty if none does
 * @param wakeAt the run's alarm: the end of its wait, or of its node's lease
 * @param wakeReason the meaning of the alarm
 * @param trouble the problem of a stuck run, or of a due run that no live node executes; otherwise empty. In lists,
 *     empty for runs that are not stuck
 * @param historyLength the number of events. In a list, a run that executes may have more: those since it last paused
 *     or received a message do not count there
 * @param startedAt when the run was created
 * @param closedAt when it ended; empty if it is open
 * @param takeovers the number of nodes that died since the last event, while the run may have executed on them
 * @param memo the notes of its start; empty in lists
 * @param steps the steps that were tried and have not ended; empty in lists
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
        List<StepDescription> steps) {}
