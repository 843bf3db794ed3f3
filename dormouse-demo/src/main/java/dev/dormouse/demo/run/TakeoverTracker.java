package dev.dormouse.demo.run;

import dev.dormouse.demo.order.OrderView;
import dev.dormouse.demo.order.StepLog;
import dev.dormouse.demo.worker.WorkerReport;
import dev.dormouse.demo.worker.WorkerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A tracker of the orders that a worker was executing when it died, until other workers have resumed them. */
final class TakeoverTracker {
    private static final Duration HEARSAY = Duration.ofSeconds(1);

    private final WorkerProcess dead;
    private final StepLog stepLog;
    private final Instant at = Instant.now();
    private final Map<Integer, OrderView> orphans = new HashMap<>();
    private final Map<Integer, Instant> resumed = new HashMap<>();
    private final Map<Integer, Integer> replayed = new HashMap<>();
    private final Set<String> successors = new TreeSet<>();

    TakeoverTracker(WorkerProcess dead, Map<Integer, OrderView> orders, StepLog stepLog) {
        this.dead = dead;
        this.stepLog = stepLog;
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

    /** Returns the number of orders that were really taken over: some had reached a pause just before. */
    int takenOver() {
        return (int) orphans.values().stream()
                .filter(order -> order.events() <= 1 || replayed.containsKey(order.number()))
                .count();
    }

    boolean isOrphan(int number) {
        return orphans.containsKey(number) && !resumed.containsKey(number);
    }

    /** Adds an order that the last report of the dead worker did not contain. */
    void add(OrderView orphan) {
        orphans.putIfAbsent(orphan.number(), orphan);
    }

    /** Called when the engine of another worker has replayed an order. */
    void replayed(String successor, WorkerReport.Replay replay) {
        if (orphans.containsKey(replay.order())) {
            replayed.putIfAbsent(replay.order(), replay.events());
            successors.add(successor);
        }
    }

    String successors() {
        return String.join(" and ", successors);
    }

    /** Checks which orders have been resumed. */
    void look(Map<Integer, OrderView> orders) {
        List<StepLog.Entry> entries = stepLog.entries();
        for (OrderView before : orphans.values()) {
            int number = before.number();
            if (!resumed.containsKey(number)) {
                resumption(before, orders.getOrDefault(number, before), entries)
                        .ifPresent(instant -> resumed.put(number, instant));
            }
        }
    }

    /** Returns the time of the first step by another worker, or else of the first change in the store. */
    private Optional<Instant> resumption(OrderView before, OrderView now, List<StepLog.Entry> entries) {
        Optional<Instant> step = entries.stream()
                .filter(entry -> entry.order() == before.number()
                        && entry.pid() != dead.pid()
                        && entry.at().isAfter(at))
                .map(StepLog.Entry::at)
                .findFirst();
        boolean hasChanged = now.events() > before.events() || now.state() != before.state();
        return step.isPresent() ? step : hasChanged ? Optional.of(now.since()) : Optional.empty();
    }

    /** Waits a little longer, because engine events arrive after their effects. */
    boolean isOver() {
        Instant now = Instant.now();
        if (orphans.isEmpty()) {
            return now.isAfter(at.plus(WorkerSettings.LEASE).plus(WorkerSettings.SWEEP));
        }
        return resumed.keySet().containsAll(orphans.keySet())
                && (replayed.keySet().containsAll(orphans.keySet())
                        || now.isAfter(at.plus(delay()).plus(HEARSAY)));
    }

    /** Returns the time until the last of the orders was resumed. */
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
        return stepLog.repeatsOf(dead.pid()).size();
    }
}
