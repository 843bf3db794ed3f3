package dev.dormouse.demo.run;

import dev.dormouse.demo.order.OrderView;
import dev.dormouse.demo.order.StoreInventory;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The timers that came due while no worker was running, until the last of them has fired. */
final class OverdueTracker {
    private final Instant at = Instant.now();
    private final StoreInventory found;
    private final Set<Integer> pending;

    OverdueTracker(StoreInventory found) {
        this.found = found;
        this.pending = new HashSet<>(found.due());
    }

    void look(Map<Integer, OrderView> orders) {
        pending.removeIf(
                number -> orders.containsKey(number) && !orders.get(number).isDue(at));
    }

    boolean isOver() {
        return pending.isEmpty();
    }

    int due() {
        return found.due().size();
    }

    Duration duration() {
        return Duration.between(at, Instant.now());
    }
}
