package dev.dormouse.internal.history;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The chained checksum of a history. The checksum of each row covers the one before, so that a missing or altered row
 * is detected.
 */
public final class Checksum {
    /** The checksum of a history without events. */
    public static final long EMPTY = 0;

    private Checksum() {}

    public static long next(long previous, int seq, int count, byte[] payload) {
        ByteBuffer head = ByteBuffer.allocate(16).putLong(previous).putInt(seq).putInt(count);
        CRC32C crc = new CRC32C();
        crc.update(head.flip());
        crc.update(payload);
        return crc.getValue();
    }
}
