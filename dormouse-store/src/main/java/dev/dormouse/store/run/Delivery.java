package dev.dormouse.store.run;

/**
 * An item to be added to the inbox of a workflow id.
 *
 * @param key the deduplication key: a second delivery with the same key has no effect as long as the workflow's runs
 *     are kept
 * @param kind the message kind of the payload, defined by the engine; stores keep it unchanged
 * @param fence the condition under which the item is delivered, for an item that was read from an outbox
 */
public record Delivery(String workflowId, String key, int kind, byte[] payload, OutboxFence fence) {

    /** Creates a delivery that does not come from an outbox. */
    public Delivery(String workflowId, String key, int kind, byte[] payload) {
        this(workflowId, key, kind, payload, OutboxFence.NONE);
    }
}
