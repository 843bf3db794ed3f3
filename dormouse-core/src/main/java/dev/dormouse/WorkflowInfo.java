package dev.dormouse;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Information about the run that the calling workflow code belongs to. Immutable.
 *
 * @param runId the id of the run; after a reset, the id of the run whose history it shares, so that the code
 *     behaves as before
 * @param startedAt the time at which the run was started
 * @param deadline the end of its execution timeout; empty if it has none
 */
public record WorkflowInfo(
        String workflowId,
        UUID runId,
        String type,
        Instant startedAt,
        Optional<Instant> deadline,
        Map<String, String> memo,
        boolean isReplaying) {}
