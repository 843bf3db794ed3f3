package dev.dormouse.examples.demo;

import java.util.List;

/**
 * What a worker found in the store before it began to work.
 *
 * @param known how many orders the store has
 * @param highest the highest number of them
 * @param open those that have not ended
 * @param executing those of them that were being executed when the last worker ended
 * @param due those whose timer came due while nobody was there
 * @param lost orders of which the ledger has steps, but the store nothing
 */
record Inventory(
        int known, int highest, List<Integer> open, List<Integer> executing, List<Integer> due, List<Integer> lost) {
    static final Inventory EMPTY = new Inventory(0, 0, List.of(), List.of(), List.of(), List.of());
}
