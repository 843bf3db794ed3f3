package dev.dormouse.store.run;

/**
 * Encoded events that a commit appends to a history as one row.
 *
 * @param count the number of events in the payload; 0 appends nothing, and the payload is empty
 * @param payload the encoded events
 * @param checksum the checksum of the history including these events
 */
public record Append(int count, byte[] payload, long checksum) {
    private static final byte[] EMPTY = {};

    /** Returns an append without events, which leaves the history and its checksum unchanged. */
    public static Append nothing(long checksum) {
        return new Append(0, EMPTY, checksum);
    }
}
