package dev.dormouse.store.run;

import java.util.UUID;

/**
 * An item on its way from a run to a workflow id. It is forwarded at least once, with {@code id} as its delivery key.
 *
 * @param kind the message kind of the payload, defined by the engine; stores keep it unchanged
 */
public record Outgoing(UUID id, String workflowId, int kind, byte[] payload) {}
