package dev.dormouse.store.page;

import dev.dormouse.inspect.Count;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts of due alarms.
 *
 * @param overdue alarms that have passed and that no node has acted on
 * @param buckets alarms between each bound and the next
 */
public record DueCounts(Count overdue, List<Count> buckets) {

    /** Returns the sums of two counts that have the same bounds. */
    public DueCounts plus(DueCounts other) {
        return new DueCounts(
                overdue.plus(other.overdue),
                IntStream.range(0, buckets.size())
                        .mapToObj(i -> buckets.get(i).plus(other.buckets.get(i)))
                        .toList());
    }
}
