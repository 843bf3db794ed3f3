package dev.dormouse.store;

import java.time.Instant;

/**
 * An item of an inbox.
 *
 * @param position counts from 1 for each workflow id; it orders the inbox
 * @param acceptedAt the store's clock at acceptance, under the lock of the run's row
 */
public record Mail(long position, String key, int kind, Instant acceptedAt, byte[] payload) {
    /** The bytes of payloads after which a page of mail may end. */
    public static final long MOST_BYTES = 8L << 20;
}
