package dev.dormouse.examples.demo;

import java.util.List;
import java.util.Set;

/**
 * What a worker says of itself and of the store, several times a second.
 *
 * @param waiting how many orders wait, as rows
 * @param held how many of those that have done so for a moment hold a thread of this worker, by {@link HeldThreads}
 * @param executing the orders that this worker executes
 * @param replays what its engine has said of orders since the last report
 * @param orders the latest, newest first
 */
record Report(int waiting, int held, Set<Integer> executing, List<Replay> replays, List<OrderView> orders) {
    static final Report NONE = new Report(0, 0, Set.of(), List.of(), List.of());

    /**
     * A history was replayed, or is about to be.
     *
     * @param events how many it has
     * @param isTakeover whether the order was taken over from a worker that was gone
     */
    record Replay(int order, int events, boolean isTakeover) {}
}
