package dev.dormouse.store;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How many alarms there are.
 *
 * @param overdue those that have passed and that nobody has taken
 * @param buckets those between each bound and the next
 */
public record DueCounts(Count overdue, List<Count> buckets) {

    /** Of two with the same bounds. */
    public DueCounts plus(DueCounts other) {
        return new DueCounts(
                overdue.plus(other.overdue),
                IntStream.range(0, buckets.size())
                        .mapToObj(i -> buckets.get(i).plus(other.buckets.get(i)))
                        .toList());
    }
}
