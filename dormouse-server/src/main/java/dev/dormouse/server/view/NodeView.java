package dev.dormouse.server.view;

import dev.dormouse.Pulse;
import java.time.Instant;
import java.util.List;

/**
 * A node.
 *
 * @param recovered how many runs it has taken over
 */
public record NodeView(
        String id,
        String name,
        String build,
        Instant startedAt,
        Instant seenAt,
        boolean alive,
        List<String> lanes,
        int executing,
        int parked,
        int slots,
        long leaseMillis,
        long recovered) {

    public static NodeView of(Pulse.NodeInfo node) {
        return new NodeView(
                node.id(),
                node.name(),
                node.build(),
                node.startedAt(),
                node.seenAt(),
                node.alive(),
                node.lanes(),
                node.executing(),
                node.parked(),
                node.slots(),
                node.leasePeriod().toMillis(),
                node.recovered());
    }
}
