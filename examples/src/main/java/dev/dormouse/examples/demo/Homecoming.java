package dev.dormouse.examples.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Timers that came due while nobody was there: when the last of them has fired. */
final class Homecoming {
    private final Instant at = Instant.now();
    private final Inventory found;
    private final Set<Integer> pending;

    Homecoming(Inventory found) {
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
