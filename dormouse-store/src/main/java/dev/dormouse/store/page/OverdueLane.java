package dev.dormouse.store.page;

import java.time.Instant;

/**
 * A lane in which an alarm has passed.
 *
 * @param since the earliest alarm of the lane
 * @param workflowId the workflow id of a run with that alarm
 */
public record OverdueLane(String lane, Instant since, String workflowId) {}
