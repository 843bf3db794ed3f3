package dev.dormouse.examples.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What becomes of the orders that a worker was executing when it died. */
final class Inquest {
    private static final Duration HEARSAY = Duration.ofSeconds(1);

    private final WorkerProcess dead;
    private final Ledger ledger;
    private final Instant at = Instant.now();
    private final Map<Integer, OrderView> orphans = new HashMap<>();
    private final Map<Integer, Instant> resumed = new HashMap<>();
    private final Map<Integer, Integer> replayed = new HashMap<>();
    private final Set<String> heirs = new TreeSet<>();

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

    /** How many others have really gone on with: some had come to a pause just before. */
    int takenOver() {
        return (int) orphans.values().stream()
                .filter(order -> order.events() <= 1 || replayed.containsKey(order.number()))
                .count();
    }

    boolean isOrphan(int number) {
        return orphans.containsKey(number) && !resumed.containsKey(number);
    }

    /** There may be one that its last report did not tell of. */
    void add(OrderView orphan) {
        orphans.putIfAbsent(orphan.number(), orphan);
    }

    /** The engine of another worker has replayed one of them. */
    void replayed(String heir, Report.Replay replay) {
        if (orphans.containsKey(replay.order())) {
            replayed.putIfAbsent(replay.order(), replay.events());
            heirs.add(heir);
        }
    }

    String heirs() {
        return String.join(" and ", heirs);
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

    /** What their engines say comes a little later than what they do. */
    boolean isOver() {
        Instant now = Instant.now();
        if (orphans.isEmpty()) {
            return now.isAfter(at.plus(Settings.LEASE).plus(Settings.SWEEP));
        }
        return resumed.keySet().containsAll(orphans.keySet())
                && (replayed.keySet().containsAll(orphans.keySet())
                        || now.isAfter(at.plus(delay()).plus(HEARSAY)));
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
        return replayed.values().stream().mapToInt(Integer::intValue).sum();
    }

    int stepsRepeated() {
        return ledger.repeatsOf(dead.pid()).size();
    }
}
