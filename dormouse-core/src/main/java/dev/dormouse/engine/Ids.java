package dev.dormouse.engine;

import dev.dormouse.store.RunRow;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes ids. Run ids are ordered by time, so that a table's newest rows lie together. Thread-safe. */
final class Ids {
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final RandomGenerator random;

    Ids(RandomGenerator random) {
        this.random = random;
    }

    /** A lease id that no other claim has. */
    synchronized long lease() {
        long id = random.nextLong();
        return id == RunRow.NO_LEASE ? 1 : id;
    }

    /** A number from 0 to 1, to keep things apart that would otherwise happen at once. */
    synchronized double fraction() {
        return random.nextDouble();
    }

    /** An id that nobody can guess. */
    synchronized UUID token() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** A UUID of version 7. */
    synchronized UUID run(Instant now) {
        long time = now.toEpochMilli() << 16;
        long high = time | VERSION_7 | (random.nextLong() & 0xFFF);
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | VARIANT;
        return new UUID(high, low);
    }
}
