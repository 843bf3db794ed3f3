package dev.dormouse;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The run that the calling workflow code belongs to.
 *
 * @param runId the run; after a reset, the one whose history it shares, so that the code does with it what it did then
 * @param startedAt when the run was started
 * @param deadline when its execution timeout ends it
 */
public record WorkflowInfo(
        String workflowId,
        UUID runId,
        String type,
        Instant startedAt,
        Optional<Instant> deadline,
        Map<String, String> memo,
        boolean isReplaying) {}
