package dev.dormouse.store.page;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Counters of a node. Runs are workflows here: timers, schedules, events and single activities do not count.
 *
 * @param started runs that were started
 * @param completed runs that completed
 * @param failed runs that failed or timed out
 * @param closed runs that were cancelled, terminated, or continued as new
 * @param steps attempts of steps that have ended
 * @param fired alarms that users have set (sleeps, deadlines, retries, delayed starts, timers) and on which a node has
 *     acted
 * @param takeovers runs that were taken over from a node that was gone
 * @param lateness the fired alarms by lateness: one number for each bucket of {@link Lateness}
 */
public record TallyCounts(
        long started,
        long completed,
        long failed,
        long closed,
        long steps,
        long fired,
        long takeovers,
        List<Long> lateness) {
    /** Counters that are all zero. */
    public static final TallyCounts NONE = new TallyCounts(0, 0, 0, 0, 0, 0, 0, Lateness.NONE);

    public TallyCounts {
        lateness = List.copyOf(lateness);
        if (lateness.size() != Lateness.BUCKETS) {
            throw new IllegalArgumentException(
                    "Expected " + Lateness.BUCKETS + " buckets of lateness, but got " + lateness.size() + ".");
        }
    }

    /** Returns the sums of these and other counters. */
    public TallyCounts plus(TallyCounts other) {
        return new TallyCounts(
                started + other.started,
                completed + other.completed,
                failed + other.failed,
                closed + other.closed,
                steps + other.steps,
                fired + other.fired,
                takeovers + other.takeovers,
                sum(lateness, other.lateness));
    }

    /** Returns the increase since {@code earlier}. */
    public TallyCounts minus(TallyCounts earlier) {
        return new TallyCounts(
                started - earlier.started,
                completed - earlier.completed,
                failed - earlier.failed,
                closed - earlier.closed,
                steps - earlier.steps,
                fired - earlier.fired,
                takeovers - earlier.takeovers,
                IntStream.range(0, Lateness.BUCKETS)
                        .mapToObj(i -> lateness.get(i) - earlier.lateness.get(i))
                        .toList());
    }

    private static List<Long> sum(List<Long> one, List<Long> other) {
        return IntStream.range(0, Lateness.BUCKETS)
                .mapToObj(i -> one.get(i) + other.get(i))
                .toList();
    }
}
