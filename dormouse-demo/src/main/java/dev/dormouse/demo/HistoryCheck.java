package dev.dormouse.demo;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.demo.base.DemoFailure;
import dev.dormouse.demo.order.OrderIds;
import dev.dormouse.demo.order.Plan;
import dev.dormouse.demo.order.Shop;
import dev.dormouse.demo.worker.WorkerSettings;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.history.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** A check of the histories of all orders, after the workers have stopped. */
final class HistoryCheck {
    private final Plan.Pace pace;
    private final Set<Integer> forwarded;
    private int results;
    private int failures;
    private int timers;

    /** @param forwarded orders whose sleep was cut short */
    HistoryCheck(Plan.Pace pace, Set<Integer> forwarded) {
        this.pace = pace;
        this.forwarded = forwarded;
    }

    void check(WorkerSettings settings, List<Integer> orders) {
        try (Dormouse dormouse = Dormouse.builder()
                .store(settings.store())
                .schema(settings.schema())
                .readOnly()
                .open()) {
            orders.forEach(number -> check(number, find(dormouse, number)));
        }
    }

    private static WorkflowHandle<Long> find(Dormouse dormouse, int number) {
        return dormouse.find(OrderIds.idOf(number), Long.class)
                .orElseThrow(() -> new DemoFailure("Expected order " + number + " in the store, but it is lost."));
    }

    private void check(int number, WorkflowHandle<Long> order) {
        List<Event> history = RunAccess.of(order).events();
        long ends = history.stream().filter(Event::isClosing).count();
        require(number, "to be completed", order.describe().status() == RunStatus.COMPLETED);
        require(
                number,
                "to have ended once",
                ends == 1 && history.get(history.size() - 1).isClosing());
        require(
                number,
                "to have charged once",
                charged(order) == Plan.of(number, pace).cents());
        checkSteps(number, history);
        checkTimers(number, history);
    }

    private static long charged(WorkflowHandle<Long> order) {
        Long result = order.result(Duration.ofSeconds(10));
        return result == null ? -1 : result;
    }

    private void checkSteps(int number, List<Event> history) {
        List<Event.StepCompleted> done = only(Event.StepCompleted.class, history);
        require(
                number,
                "to have one result of each step",
                done.stream().map(Event.StepCompleted::name).toList().equals(Shop.STEPS));
        results += done.size();
        failures += only(Event.StepPostponed.class, history).size();
    }

    private void checkTimers(int number, List<Event> history) {
        for (int i = 0; i < history.size(); i++) {
            Event event = history.get(i);
            if (event instanceof Event.TimerFired fired) {
                Instant due = deadline(fired.call(), history);
                require(
                        number,
                        "to wake no earlier than planned",
                        isInTime(due, fired.at()) || forwarded.contains(number));
                timers++;
            } else if (event instanceof Event.WaitTimedOut late) {
                Instant due = history.get(i - 1).at().plus(Plan.of(number, pace).approval());
                require(number, "to wait for approval until its deadline", isInTime(due, late.at()));
                timers++;
            } else if (event instanceof Event.StepPostponed failed) {
                require(number, "to try again no earlier than planned", isInTime(failed.nextAt(), next(i, history)));
                timers++;
            }
        }
    }

    private static boolean isInTime(Instant due, Instant at) {
        return !at.isBefore(due);
    }

    private static Instant deadline(int call, List<Event> history) {
        return only(Event.TimerScheduled.class, history).stream()
                .filter(timer -> timer.call() == call)
                .findFirst()
                .orElseThrow()
                .deadline();
    }

    /** Returns the time at which the attempt after this failure began. */
    private static Instant next(int index, List<Event> history) {
        for (Event event : history.subList(index + 1, history.size())) {
            if (event instanceof Event.StepCompleted done) {
                return done.startedAt();
            } else if (event instanceof Event.StepPostponed failed) {
                return failed.tried().startedAt();
            }
        }
        return Instant.MIN;
    }

    private static <E extends Event> List<E> only(Class<E> kind, List<Event> history) {
        return history.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static void require(int number, String what, boolean holds) {
        DemoFailure.unless(holds, "Expected order " + number + " " + what + ", but its history says otherwise.");
    }

    int results() {
        return results;
    }

    int failures() {
        return failures;
    }

    int timers() {
        return timers;
    }
}
