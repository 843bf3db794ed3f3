package dev.dormouse.demo.worker;

import dev.dormouse.demo.order.OrderView;
import java.util.List;
import java.util.Set;

/**
 * The report of a worker about itself and the store, several times a second.
 *
 * @param waiting the number of waiting orders, stored as rows
 * @param held how many of them have waited for more than a moment and still hold a thread of this worker, by {@link
 *     HeldThreads}
 * @param executing the orders that this worker executes
 * @param replays the engine's events about orders since the last report
 * @param orders the latest orders, newest first
 */
public record WorkerReport(
        int waiting, int held, Set<Integer> executing, List<Replay> replays, List<OrderView> orders) {
    public static final WorkerReport NONE = new WorkerReport(0, 0, Set.of(), List.of(), List.of());

    /**
     * A history was replayed, or is about to be.
     *
     * @param events the length of the history
     * @param isTakeover true if the order was taken over from a dead worker
     */
    public record Replay(int order, int events, boolean isTakeover) {}
}
