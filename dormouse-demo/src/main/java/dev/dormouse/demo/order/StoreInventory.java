package dev.dormouse.demo.order;

import java.util.List;

/**
 * The orders that a worker found in the store before it began to work.
 *
 * @param known the number of orders in the store
 * @param highest the highest order number
 * @param open orders that have not ended
 * @param executing open orders that were being executed when the last worker ended
 * @param due orders whose timer came due while no worker was running
 * @param lost orders with steps in the step log that the store does not have
 */
public record StoreInventory(
        int known, int highest, List<Integer> open, List<Integer> executing, List<Integer> due, List<Integer> lost) {
    public static final StoreInventory EMPTY = new StoreInventory(0, 0, List.of(), List.of(), List.of(), List.of());
}
