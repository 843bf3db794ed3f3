package dev.dormouse.demo;

import dev.dormouse.demo.base.DemoFailure;
import dev.dormouse.demo.base.DemoTexts;
import dev.dormouse.demo.order.OrderView;
import dev.dormouse.demo.order.StepLog;
import dev.dormouse.demo.run.DemoCounters;
import dev.dormouse.demo.run.DemoMessages.Tone;
import dev.dormouse.demo.run.DemoRun;
import dev.dormouse.demo.screen.ConsoleMessages;
import dev.dormouse.demo.worker.WorkerSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The demo without a terminal: twenty orders, a worker that dies of kill -9, approvals, a sleep that is cut short, and
 * a time without any worker. A {@link HistoryCheck} follows.
 */
final class ScriptedDemo {
    private static final Duration MOMENT = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int APPROVALS = 3;
    private static final int DUE_WHILE_AWAY = 3;

    private final DemoRun demo;
    private final ConsoleMessages console;
    private final Set<Integer> forwarded = new HashSet<>();

    ScriptedDemo(DemoRun demo, ConsoleMessages console) {
        this.demo = demo;
        this.console = console;
    }

    void tell() throws IOException, InterruptedException {
        demo.open();
        until("the workers are ready", () -> demo.pool().isComplete());
        for (int i = 0; i < DemoRun.ORDERS; i++) {
            demo.addOrder();
        }
        console.tell(Tone.PLAIN, "Twenty orders: reserve, charge, wait for approval, ship, sleep, survey.");
        until("several orders wait and some are executed", () -> waiting() >= 6 && executing() >= 2);
        tellOfThreads();

        DemoFailure.unless(demo.kill(), "Expected a worker to kill, but there is none.");
        until("its orders are resumed", () -> !demo.isRecovering());

        for (int i = 0; i < APPROVALS; i++) {
            until("an order waits for approval", () -> demo.approve().isPresent());
        }
        until("an order sleeps", this::forward);
        until("its sleep is over and its worker has said so", () -> isForwarded() && isAnswered());
        leaveForAWhile();
        until("all orders have ended", this::haveAllEnded);
        demo.close();
    }

    private boolean forward() {
        demo.forward().ifPresent(forwarded::add);
        return !forwarded.isEmpty();
    }

    private boolean isForwarded() {
        return forwarded.stream()
                .allMatch(number -> demo.order(number)
                        .filter(order -> order.state() == OrderView.State.DELIVERY)
                        .isEmpty());
    }

    /** The state of an order may be known before the answer of the worker that changed it is printed. */
    private boolean isAnswered() {
        return demo.answers() >= APPROVALS + forwarded.size();
    }

    private void leaveForAWhile() throws IOException, InterruptedException {
        demo.close();
        console.tell(
                Tone.DEATH, "All workers have been stopped. No process is running; the alarms of the orders are rows.");
        Instant stopped = Instant.now();
        until("some timers have come due", () -> dueSince(stopped) >= DUE_WHILE_AWAY);
        demo.open();
        until("the workers are ready", () -> demo.pool().isComplete() && !demo.isRecovering());
    }

    private void tellOfThreads() {
        int held = demo.pool().workers().stream()
                .mapToInt(worker -> worker.report().held())
                .sum();
        console.tell(
                Tone.PLAIN,
                DemoTexts.count(held, "thread") + " held by " + waiting() + " waiting orders; " + executing()
                        + " are executed.");
    }

    private long waiting() {
        return count(order -> order.state().isWaiting());
    }

    private long executing() {
        return demo.pool().workers().stream()
                .mapToInt(worker -> worker.report().executing().size())
                .sum();
    }

    /** Counts later timers only: an earlier one may have fired after the last report of its worker. */
    private long dueSince(Instant stopped) {
        Instant now = Instant.now();
        return count(order -> order.isDue(now) && !order.isDue(stopped));
    }

    private boolean haveAllEnded() {
        return count(order -> !order.isOpen()) == demo.rows().size();
    }

    private long count(Predicate<OrderView> which) {
        return demo.rows().stream()
                .flatMap(number -> demo.order(number).stream())
                .filter(which)
                .count();
    }

    private void until(String what, BooleanSupplier holds) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (!holds.getAsBoolean()) {
            DemoFailure.unless(
                    Instant.now().isBefore(end),
                    "Expected that " + what + " within " + PATIENCE.toSeconds() + " s, but it was not so.");
            demo.advance(MOMENT);
        }
    }

    /** Checks the store and the step log, and prints the result. */
    void check(WorkerSettings settings, StepLog stepLog) {
        HistoryCheck audit = new HistoryCheck(settings.pace(), forwarded);
        audit.check(settings, demo.rows());
        Set<Integer> orders = Set.copyOf(demo.rows());
        long executed = stepLog.entries().stream()
                .filter(entry -> entry.what() == StepLog.What.BEGAN && orders.contains(entry.order()))
                .count();
        long repeated = executed - audit.results() - audit.failures();
        DemoFailure.unless(
                repeated >= 0, "Expected every result to come from a step that was executed, but some do not.");
        DemoCounters counters = demo.counters();
        console.say("\nChecked in the store:");
        console.say("  " + demo.rows().size() + " orders, each ended once; none is lost");
        console.say("  " + audit.results() + " results of steps, each counted once; " + executed + " steps executed, "
                + audit.failures() + " failed and tried again, " + repeated + " repeated after kill -9");
        console.say("  " + audit.timers() + " timers, none early; " + counters.dueMeanwhile()
                + " of them came due while no worker was there");
        console.say(
                "  " + counters.mostHeld() + " threads held by up to " + counters.mostWaiting() + " waiting orders");
        console.say(
                "\nThe workflow is plain Java: dormouse-demo/src/main/java/dev/dormouse/demo/order/OrderWorkflow.java");
    }
}
