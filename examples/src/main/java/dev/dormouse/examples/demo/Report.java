package dev.dormouse.examples.demo;

import java.util.List;
import java.util.Set;

/**
 * What a worker says of itself and of the store, several times a second.
 *
 * @param waiting how many orders wait, as rows
 * @param held how many of those hold a thread of this worker, by {@link HeldThreads}
 * @param executing the orders that this worker executes
 * @param orders the latest, newest first
 */
record Report(int waiting, int held, Set<Integer> executing, List<OrderView> orders) {
    static final Report NONE = new Report(0, 0, Set.of(), List.of());
}
