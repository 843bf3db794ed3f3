package dev.dormouse.store;

/**
 * An item for the inbox of a workflow id.
 *
 * @param key a second delivery under the same key is harmless, for as long as the workflow's runs are kept
 * @param kind what the payload is, for the engine to know; stores keep it as it is
 */
public record Delivery(String workflowId, String key, int kind, byte[] payload) {}
