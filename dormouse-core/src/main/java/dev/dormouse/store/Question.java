package dev.dormouse.store;

import java.util.UUID;

/**
 * A query about a run that the asking node cannot answer itself, because it lacks the workflow's code. A node that has
 * it answers through the store.
 *
 * @param id made by who asks, once per query
 * @param lane the lane of the run: nodes look for questions in the lanes that they claim
 * @param payload what is asked, for the engine to know; stores keep it as it is
 */
public record Question(UUID id, UUID runId, String workflowId, String lane, byte[] payload) {}
