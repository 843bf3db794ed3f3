package dev.dormouse;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The run that the calling workflow code belongs to.
 *
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
