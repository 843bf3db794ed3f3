package dev.dormouse.store;

import java.time.Instant;

/**
 * A lane in which an alarm has passed.
 *
 * @param since its earliest alarm
 * @param workflowId of a run with that alarm
 */
public record OverdueLane(String lane, Instant since, String workflowId) {}
