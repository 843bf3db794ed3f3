package dev.dormouse.sqlite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;

/** Ids as the file keeps them: 16 bytes, most significant first, so that SQLite sorts them as they were made. */
final class Ids {
    private static final int LENGTH = 16;

    /** The order in which SQLite has them. {@link UUID#compareTo} is another one: it takes the halves for signed. */
    static final Comparator<UUID> ORDER = (one, other) -> {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    };

    private Ids() {}

    static byte[] toBytes(UUID id) {
        return ByteBuffer.allocate(LENGTH)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    static UUID toId(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** Sorts after every id. */
    static byte[] afterAll() {
        byte[] bytes = new byte[LENGTH + 1];
        Arrays.fill(bytes, (byte) 0xff);
        return bytes;
    }
}
