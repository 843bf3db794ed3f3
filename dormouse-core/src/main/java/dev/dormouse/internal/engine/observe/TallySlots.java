package dev.dormouse.internal.engine.observe;

import java.time.Duration;
import java.time.Instant;

/** The time slots of the counts that nodes store. */
public final class TallySlots {
    /** The shard that stores the counts of all nodes. Counts have no workflow id, so they cannot be sharded by it. */
    public static final int SHARD = 0;

    public static final Duration SHORT = Duration.ofSeconds(10);
    public static final Duration KEEP_SHORT = Duration.ofHours(2);
    public static final Duration LONG = Duration.ofMinutes(5);
    public static final Duration KEEP_LONG = Duration.ofDays(8);

    private TallySlots() {}

    /** Returns the beginning of the slot that contains an instant. */
    public static Instant begin(Instant instant, Duration length) {
        long seconds = length.toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
    }
}
