package dev.dormouse.demo.worker;

import dev.dormouse.Dormouse;
import dev.dormouse.demo.order.OrderIds;
import dev.dormouse.demo.order.OrderReader;
import dev.dormouse.demo.order.OrderView;
import dev.dormouse.error.DormouseException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A reporter of the state of a worker to the parent, several times a second. */
final class WorkerReporter implements AutoCloseable {
    private static final int INTERVAL_IN_MILLIS = 200;
    private static final Duration ON_ITS_WAY_OUT = Duration.ofSeconds(1);

    private final OrderReader orders;
    private final HeldThreads threads;
    private final ReplayMonitor replays;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private boolean hasTrouble;

    WorkerReporter(Dormouse dormouse, HeldThreads threads, ReplayMonitor replays) {
        this.orders = new OrderReader(dormouse);
        this.threads = threads;
        this.replays = replays;
    }

    void start() {
        var unused = timer.scheduleWithFixedDelay(this::report, 0, INTERVAL_IN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void report() {
        try {
            PipeProtocol.say(PipeProtocol.Word.REPORT, now());
            hasTrouble = false;
        } catch (DormouseException problem) {
            if (!hasTrouble) { // otherwise it was already reported
                PipeProtocol.say(PipeProtocol.Word.SAY, "The store does not answer: " + problem.getMessage());
            }
            hasTrouble = true;
        }
    }

    /**
     * Counts a run as waiting with a thread if it held one before and after the store listed it as waiting. A run that
     * has just begun to wait is not counted, since its code is still returning.
     */
    private WorkerReport now() {
        Set<Integer> before = holders();
        List<OrderView> views = orders.latest();
        Set<Integer> after = holders();
        Instant settled = Instant.now().minus(ON_ITS_WAY_OUT);
        Set<Integer> waiting = numbers(views, order -> order.state().isWaiting());
        Set<Integer> held = numbers(
                views, order -> order.state().isWaiting() && order.since().isBefore(settled));
        held.retainAll(before);
        held.retainAll(after);
        after.removeAll(waiting);
        return new WorkerReport(waiting.size(), held.size(), after, replays.take(), views);
    }

    private static Set<Integer> numbers(List<OrderView> views, Predicate<OrderView> which) {
        return views.stream().filter(which).map(OrderView::number).collect(Collectors.toCollection(HashSet::new));
    }

    private Set<Integer> holders() {
        return threads.holders().stream()
                .filter(OrderIds::isOrder)
                .map(OrderIds::numberOf)
                .collect(Collectors.toCollection(HashSet::new));
    }

    @Override
    public void close() {
        timer.shutdown();
        try {
            boolean unused = timer.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
