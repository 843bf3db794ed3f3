package dev.dormouse.store.event;

import java.util.UUID;

/**
 * A query about a run that the asking node cannot answer because it lacks the workflow's code. A node that has the code
 * answers through the store.
 *
 * @param id an id from the asking node, made once per query
 * @param lane the lane of the run: nodes look for questions in the lanes that they claim
 * @param payload the encoded query, defined by the engine; stores keep it unchanged
 */
public record Question(UUID id, UUID runId, String workflowId, String lane, byte[] payload) {}
