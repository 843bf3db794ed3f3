package dev.dormouse.store.page;

import dev.dormouse.inspect.Count;

/**
 * Run counts by state.
 *
 * @param running runs that execute on a node
 * @param parked runs that a node keeps in memory for a short wait
 * @param waiting runs that are suspended or have not begun
 * @param failed runs that are FAILED or TIMED_OUT
 */
public record StatusCounts(Count running, Count parked, Count waiting, Count stuck, Count failed) {
    /** The largest number that is counted exactly for each state. A higher count is an estimate or a lower bound. */
    public static final int MOST = 10_000;
}
