package dev.dormouse.examples.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What becomes of the orders that a worker was executing when it died. */
final class Inquest {
    private final WorkerProcess dead;
    private final Ledger ledger;
    private final Instant at = Instant.now();
    private final Map<Integer, OrderView> orphans = new HashMap<>();
    private final Map<Integer, Instant> resumed = new HashMap<>();

    Inquest(WorkerProcess dead, Map<Integer, OrderView> orders, Ledger ledger) {
        this.dead = dead;
        this.ledger = ledger;
        for (int number : dead.report().executing()) {
            OrderView view = orders.get(number);
            if (view != null && view.state() == OrderView.State.EXECUTING) {
                orphans.put(number, view);
            }
        }
    }

    WorkerProcess dead() {
        return dead;
    }

    int orphans() {
        return orphans.size();
    }

    boolean isOrphan(int number) {
        return orphans.containsKey(number) && !resumed.containsKey(number);
    }

    /** Looks whether others go on with them. */
    void look(Map<Integer, OrderView> orders) {
        List<Ledger.Entry> entries = ledger.entries();
        for (OrderView before : orphans.values()) {
            int number = before.number();
            if (!resumed.containsKey(number)) {
                resumption(before, orders.getOrDefault(number, before), entries)
                        .ifPresent(instant -> resumed.put(number, instant));
            }
        }
    }

    /** By the first step that others took, or else by what has changed in the store. */
    private Optional<Instant> resumption(OrderView before, OrderView now, List<Ledger.Entry> entries) {
        Optional<Instant> step = entries.stream()
                .filter(entry -> entry.order() == before.number()
                        && entry.pid() != dead.pid()
                        && entry.at().isAfter(at))
                .map(Ledger.Entry::at)
                .findFirst();
        boolean hasChanged = now.events() > before.events() || now.state() != before.state();
        return step.isPresent() ? step : hasChanged ? Optional.of(now.since()) : Optional.empty();
    }

    boolean isOver() {
        return resumed.keySet().containsAll(orphans.keySet());
    }

    /** How long it took until somebody went on with the last of them. */
    Duration delay() {
        return resumed.values().stream()
                .max(Instant::compareTo)
                .map(last -> Duration.between(at, last))
                .filter(time -> !time.isNegative())
                .orElse(Duration.ZERO);
    }

    int eventsReplayed() {
        return orphans.values().stream().mapToInt(OrderView::events).sum();
    }

    int stepsRepeated() {
        return new ArrayList<>(ledger.repeatsOf(dead.pid())).size();
    }

    Instant at() {
        return at;
    }
}
