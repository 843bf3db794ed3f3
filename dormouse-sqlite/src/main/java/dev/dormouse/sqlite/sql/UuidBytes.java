package dev.dormouse.sqlite.sql;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;

/**
 * UUIDs as stored in the file: 16 bytes, most significant first, so that SQLite sorts them in the order of their
 * creation.
 */
public final class UuidBytes {
    private static final int LENGTH = 16;

    /** The sort order of SQLite. {@link UUID#compareTo} differs, because it compares the halves as signed numbers. */
    public static final Comparator<UUID> ORDER = (one, other) -> {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    };

    private UuidBytes() {}

    public static byte[] toBytes(UUID id) {
        return ByteBuffer.allocate(LENGTH)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    public static UUID toId(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** Returns bytes that sort after every UUID. */
    public static byte[] afterAll() {
        byte[] bytes = new byte[LENGTH + 1];
        Arrays.fill(bytes, (byte) 0xff);
        return bytes;
    }
}
