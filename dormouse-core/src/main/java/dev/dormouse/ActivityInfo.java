package dev.dormouse;

import java.time.Instant;
import java.util.UUID;

/**
 * The attempt that an activity or step is in.
 *
 * @param step its name; for an activity {@code Mail.welcome}
 * @param attempt from 1. Failures and deaths of the node count, pauses do not
 * @param startedAt when this attempt began, by the store's clock
 */
public record ActivityInfo(
        String workflowId, UUID runId, String workflowType, String step, int attempt, Instant startedAt) {}
