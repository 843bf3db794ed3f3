package dev.dormouse.store;

/**
 * How many runs stand where.
 *
 * @param running executing on some node
 * @param parked in the memory of some node for a short wait
 * @param waiting suspended, or not begun
 * @param failed FAILED or TIMED_OUT
 */
public record Census(Count running, Count parked, Count waiting, Count stuck, Count failed) {
    /** So many are counted of each; beyond that it is an estimate, or "at least". */
    public static final int MOST = 10_000;
}
