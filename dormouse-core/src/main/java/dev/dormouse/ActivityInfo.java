package dev.dormouse;

import java.time.Instant;
import java.util.UUID;

/**
 * The attempt of an activity or step.
 *
 * @param workflowId the workflow id of the run that the attempt belongs to
 * @param runId the id of that run
 * @param workflowType the workflow type of that run
 * @param step the name of the step; for an activity, such as {@code Mail.welcome}
 * @param attempt the number of the attempt, from 1. Failures and crashes of the node count; pauses do not
 * @param startedAt the start of this attempt, by the store's clock
 */
public record ActivityInfo(
        String workflowId, UUID runId, String workflowType, String step, int attempt, Instant startedAt) {}
