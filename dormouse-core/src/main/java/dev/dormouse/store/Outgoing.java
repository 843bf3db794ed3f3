package dev.dormouse.store;

import java.util.UUID;

/**
 * An item on its way from one run to a workflow id, moved at least once; {@code id} is its delivery key.
 *
 * @param kind what the payload is, for the engine to know; stores keep it as it is
 */
public record Outgoing(UUID id, String workflowId, int kind, byte[] payload) {}
