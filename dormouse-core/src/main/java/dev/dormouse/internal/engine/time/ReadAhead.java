package dev.dormouse.internal.engine.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The nearest alarms of several shards or lanes, and the instant up to which they are complete. Each of these was read
 * up to a limit. Not thread-safe.
 */
public final class ReadAhead {
    private final int limit;
    private final List<Instant> nearest = new ArrayList<>();
    private Instant readUpTo = Instant.MAX;

    /** @param limit the number of alarms that were requested from each shard or lane */
    public ReadAhead(int limit) {
        this.limit = limit;
    }

    /** Adds the nearest alarms of a shard or lane, in order. If the limit was reached, there may be more. */
    public ReadAhead add(List<Instant> alarms) {
        return add(alarms, alarm -> true);
    }

    /** Adds those of the nearest alarms of a shard or lane that are {@code wanted}. */
    public ReadAhead add(List<Instant> alarms, Predicate<Instant> wanted) {
        alarms.stream().filter(wanted).forEach(nearest::add);
        if (alarms.size() >= limit && alarms.get(alarms.size() - 1).isBefore(readUpTo)) {
            readUpTo = alarms.get(alarms.size() - 1);
        }
        return this;
    }

    /** Returns the alarms, in no particular order. */
    public List<Instant> nearest() {
        return nearest;
    }

    /** Returns the instant from which there may be more alarms; {@link Instant#MAX} if there are none. */
    public Instant readUpTo() {
        return readUpTo;
    }
}
