package dev.dormouse.store;

/**
 * An item for the inbox of a workflow id.
 *
 * @param key a second delivery under the same key is harmless, for as long as the workflow's runs are kept
 * @param kind what the payload is, for the engine to know; stores keep it as it is
 * @param fence what must hold of the store, for an item that was read from an outbox
 */
public record Delivery(String workflowId, String key, int kind, byte[] payload, OutboxFence fence) {

    /** Creates a delivery that does not come from an outbox. */
    public Delivery(String workflowId, String key, int kind, byte[] payload) {
        this(workflowId, key, kind, payload, OutboxFence.NONE);
    }
}
