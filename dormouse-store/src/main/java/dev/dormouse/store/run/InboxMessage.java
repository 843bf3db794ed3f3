package dev.dormouse.store.run;

import java.time.Instant;

/**
 * An item of an inbox.
 *
 * @param position the position in the inbox of the workflow id, from 1; it defines the order
 * @param acceptedAt the store's clock when the item was accepted, read under the lock of the run's row
 */
public record InboxMessage(long position, String key, int kind, Instant acceptedAt, byte[] payload) {
    /** The payload size in bytes at which a page of mail may end. */
    public static final long MOST_BYTES = 8L << 20;
}
