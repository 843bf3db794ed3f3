package dev.dormouse.store;

import java.util.List;

/**
 * How many alarms there are.
 *
 * @param overdue those that have passed and that nobody has taken
 * @param buckets those between each bound and the next
 */
public record DueCounts(Count overdue, List<Count> buckets) {}
