package dev.dormouse.internal.engine.context;

import dev.dormouse.store.run.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * A generator of ids. Run ids are ordered by time, so that the newest rows of a table are stored together. Thread-safe.
 */
public final class IdGenerator {
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final RandomGenerator random;

    public IdGenerator(RandomGenerator random) {
        this.random = random;
    }

    /** Returns a lease id that no other claim has. */
    public synchronized long lease() {
        long id = random.nextLong();
        return id == RunRow.NO_LEASE ? 1 : id;
    }

    /** Returns a random number from 0 to 1, used to spread work that would otherwise happen at the same time. */
    public synchronized double fraction() {
        return random.nextFloat();
    }

    /**
     * Returns a random number from 0 to 1 for the delay of a retry. This is the only use of
     * {@link RandomGenerator#nextDouble()}, so that tests can make these delays exact without affecting
     * {@link #fraction}.
     */
    public synchronized double retryJitter() {
        return random.nextDouble();
    }

    /** Returns an id that cannot be guessed. */
    public synchronized UUID token() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** Returns a run id: a UUID of version 7. */
    public synchronized UUID run(Instant now) {
        return id(now, random.nextLong(), random.nextLong());
    }

    /**
     * Returns the id of the only run that may begin with the history of another run, which has closed at {@code
     * closedAt}.
     */
    public static UUID following(UUID runId, Instant closedAt) {
        UUID hash = UUID.nameUUIDFromBytes((runId + " reset").getBytes(StandardCharsets.UTF_8));
        return id(closedAt, hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }

    /** Returns true if the run of this id was created after {@code instant}. */
    public static boolean isAfter(UUID runId, Instant instant) {
        return runId.getMostSignificantBits() >>> 16 > instant.toEpochMilli();
    }

    private static UUID id(Instant time, long high, long low) {
        return new UUID(
                time.toEpochMilli() << 16 | VERSION_7 | (high & 0xFFF), (low & 0x3FFF_FFFF_FFFF_FFFFL) | VARIANT);
    }
}
