package dev.dormouse.store;

/**
 * Events to append to a history in one row.
 *
 * @param count how many events the payload holds; 0: nothing is appended and payload is empty
 * @param payload the encoded events
 * @param checksum of the history including these events
 */
public record Append(int count, byte[] payload, long checksum) {
    private static final byte[] EMPTY = {};

    /** Appends nothing; the checksum stays. */
    public static Append nothing(long checksum) {
        return new Append(0, EMPTY, checksum);
    }
}
