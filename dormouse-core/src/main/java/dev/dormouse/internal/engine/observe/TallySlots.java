package dev.dormouse.internal.engine.observe;

import java.time.Duration;
import java.time.Instant;

/** The slots of time by which nodes count. */
public final class TallySlots {
    /** Those of all nodes are in one shard: nothing that is sharded belongs to them. */
    public static final int SHARD = 0;

    public static final Duration SHORT = Duration.ofSeconds(10);
    public static final Duration KEEP_SHORT = Duration.ofHours(2);
    public static final Duration LONG = Duration.ofMinutes(5);
    public static final Duration KEEP_LONG = Duration.ofDays(8);

    private TallySlots() {}

    /** When the slot began that an instant is in. */
    public static Instant begin(Instant instant, Duration length) {
        long seconds = length.toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(instant.getEpochSecond(), seconds) * seconds);
    }
}
