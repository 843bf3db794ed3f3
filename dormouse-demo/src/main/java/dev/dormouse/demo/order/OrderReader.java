package dev.dormouse.demo.order;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** A reader of orders from the store. Reads the lists each time, but only the histories of orders that have changed. */
public final class OrderReader {
    private static final ListOptions ORDERS = ListOptions.ALL.withType(OrderIds.TYPE);
    private static final RunStatus[] OPEN =
            Stream.of(RunStatus.values()).filter(status -> !status.isClosed()).toArray(RunStatus[]::new);

    private final Dormouse dormouse;
    private final Map<UUID, List<Event>> histories = new HashMap<>();
    private List<String> open = List.of();

    public OrderReader(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /**
     * Returns the latest hundred orders, all open ones, and those that were open the last time: an order whose deadline
     * was moved far ahead may be older than the hundred.
     */
    public List<OrderView> latest() {
        Map<String, RunDescription> runs = new LinkedHashMap<>();
        dormouse.list(ORDERS).runs().forEach(run -> runs.putIfAbsent(run.workflowId(), run)); // newest first
        dormouse.list(ORDERS.withStatuses(OPEN)).runs().forEach(run -> runs.put(run.workflowId(), run));
        open.stream()
                .filter(id -> !runs.containsKey(id))
                .forEach(id -> runs.put(id, handle(id).describe()));
        List<RunDescription> own = own(runs.values());
        open = own.stream()
                .filter(run -> !run.status().isClosed())
                .map(RunDescription::workflowId)
                .toList();
        histories.keySet().retainAll(own.stream().map(RunDescription::runId).toList());
        return views(own);
    }

    /** Returns all orders. */
    List<RunDescription> all() {
        List<RunDescription> runs = new ArrayList<>();
        Optional<String> page = Optional.empty();
        do {
            ListOptions options = ORDERS.withLimit(1_000);
            var list = dormouse.list(page.map(options::withPage).orElse(options));
            runs.addAll(own(list.runs()));
            page = list.next();
        } while (page.isPresent());
        return runs;
    }

    private static List<RunDescription> own(Collection<RunDescription> runs) {
        return runs.stream().filter(run -> OrderIds.isOrder(run.workflowId())).toList();
    }

    List<OrderView> views(List<RunDescription> runs) {
        return runs.stream().map(this::view).toList();
    }

    private OrderView view(RunDescription run) {
        List<Event> history = history(run);
        int number = OrderIds.numberOf(run.workflowId());
        Event last = history.get(history.size() - 1);
        return new OrderView(
                number,
                Plan.of(number, Plan.Pace.EYE).item(),
                state(run, stepsDone(history)),
                stepsDone(history),
                last instanceof Event.StepPostponed failed ? failed.tried().attempt() : 0,
                last.at(),
                run.wakeAt().orElse(null),
                run.historyLength());
    }

    private List<Event> history(RunDescription run) {
        List<Event> known = histories.getOrDefault(run.runId(), List.of());
        if (known.size() < run.historyLength() || run.status() == RunStatus.RUNNING) {
            known = RunAccess.of(handle(run.workflowId())).events();
            histories.put(run.runId(), known);
        }
        return known;
    }

    private WorkflowHandle<Long> handle(String workflowId) {
        return dormouse.find(workflowId, Long.class).orElseThrow();
    }

    private static int stepsDone(List<Event> history) {
        return (int)
                history.stream().filter(Event.StepCompleted.class::isInstance).count();
    }

    private static OrderView.State state(RunDescription run, int stepsDone) {
        if (run.status() == RunStatus.COMPLETED) {
            return OrderView.State.ENDED;
        } else if (run.status() == RunStatus.CANCELLED || run.status() == RunStatus.TERMINATED) {
            return OrderView.State.CALLED_OFF;
        } else if (run.status().isClosed() || run.status() == RunStatus.STUCK) {
            return OrderView.State.TROUBLE;
        } else if (run.wakeReason() == WakeReason.BACKOFF) {
            return OrderView.State.HELD_BACK;
        } else if (run.status() != RunStatus.WAITING || run.wakeReason() == WakeReason.MAIL) {
            return OrderView.State.EXECUTING;
        } else if (run.wakeReason() == WakeReason.RETRY) {
            return OrderView.State.BACK_OFF;
        }
        return stepsDone < Shop.STEPS.indexOf("Shop.ship") + 1 ? OrderView.State.APPROVAL : OrderView.State.DELIVERY;
    }

    /** Returns the state of the store before any worker changes it. */
    public StoreInventory inventory(StepLog stepLog, Instant now) {
        List<RunDescription> all = all();
        List<Integer> numbers = numbers(all);
        Set<Integer> known = Set.copyOf(numbers);
        List<RunDescription> open =
                all.stream().filter(run -> !run.status().isClosed()).toList();
        return new StoreInventory(
                all.size(),
                numbers.stream().max(Integer::compare).orElse(0),
                numbers(open),
                numbers(open.stream()
                        .filter(run -> run.status() == RunStatus.RUNNING)
                        .toList()),
                views(open).stream()
                        .filter(view -> view.isDue(now))
                        .map(OrderView::number)
                        .toList(),
                stepLog.entries().stream()
                        .map(StepLog.Entry::order)
                        .distinct()
                        .filter(order -> !known.contains(order))
                        .toList());
    }

    private static List<Integer> numbers(List<RunDescription> runs) {
        return runs.stream().map(run -> OrderIds.numberOf(run.workflowId())).toList();
    }
}
