package dev.dormouse.examples.demo;

import dev.dormouse.Dormouse;
import dev.dormouse.ListOptions;
import dev.dormouse.RunDescription;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.history.Event;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads orders from the store: one list each time, and the histories of those that have changed. */
final class OrderReader {
    private static final ListOptions ORDERS = ListOptions.ALL.type(Orders.TYPE);

    private final Dormouse dormouse;
    private final Map<String, List<Event>> histories = new HashMap<>();

    OrderReader(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** The latest hundred: all that are open are among them. */
    List<OrderView> latest() {
        List<OrderView> views = views(dormouse.list(ORDERS).runs());
        histories
                .keySet()
                .retainAll(
                        views.stream().map(view -> Orders.idOf(view.number())).toList());
        return views;
    }

    /** All there are. */
    List<RunDescription> all() {
        List<RunDescription> runs = new ArrayList<>();
        Optional<String> page = Optional.empty();
        do {
            ListOptions options = ORDERS.limit(1_000);
            var list = dormouse.list(page.map(options::page).orElse(options));
            runs.addAll(list.runs());
            page = list.next();
        } while (page.isPresent());
        return runs;
    }

    List<OrderView> views(List<RunDescription> runs) {
        return runs.stream().map(this::view).toList();
    }

    private OrderView view(RunDescription run) {
        List<Event> history = history(run);
        int number = Orders.numberOf(run.workflowId());
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
        List<Event> known = histories.getOrDefault(run.workflowId(), List.of());
        if (known.size() < run.historyLength()) {
            known = handle(run).events();
            histories.put(run.workflowId(), known);
        }
        return known;
    }

    private WorkflowHandle<Long> handle(RunDescription run) {
        return dormouse.find(run.workflowId(), Long.class).orElseThrow();
    }

    private static int stepsDone(List<Event> history) {
        return (int)
                history.stream().filter(Event.StepCompleted.class::isInstance).count();
    }

    private static OrderView.State state(RunDescription run, int stepsDone) {
        if (run.status() == RunStatus.COMPLETED) {
            return OrderView.State.ENDED;
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

    /** What there is before anybody works on it. */
    Inventory inventory(Ledger ledger, Instant now) {
        List<RunDescription> all = all();
        List<Integer> numbers = numbers(all);
        Set<Integer> known = Set.copyOf(numbers);
        List<RunDescription> open =
                all.stream().filter(run -> !run.status().isClosed()).toList();
        return new Inventory(
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
                ledger.entries().stream()
                        .map(Ledger.Entry::order)
                        .distinct()
                        .filter(order -> !known.contains(order))
                        .toList());
    }

    private static List<Integer> numbers(List<RunDescription> runs) {
        return runs.stream().map(run -> Orders.numberOf(run.workflowId())).toList();
    }
}
