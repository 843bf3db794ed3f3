package dev.dormouse.examples.demo;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Tells the parent how things stand, several times a second. */
final class Reporter implements AutoCloseable {
    private static final int INTERVAL_IN_MILLIS = 200;

    private final OrderReader orders;
    private final HeldThreads threads;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    Reporter(Dormouse dormouse, HeldThreads threads) {
        this.orders = new OrderReader(dormouse);
        this.threads = threads;
    }

    void start() {
        var unused = timer.scheduleWithFixedDelay(this::report, 0, INTERVAL_IN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void report() {
        try {
            Worker.say(Wire.Word.REPORT, now());
        } catch (DormouseException problem) {
            Worker.say(Wire.Word.SAY, "The store does not answer: " + problem.getMessage());
        }
    }

    /** A run counts as waiting and holding a thread if it held one before and after the store said that it waits. */
    private Report now() {
        Set<Integer> before = holders();
        List<OrderView> views = orders.latest();
        Set<Integer> after = holders();
        Set<Integer> waiting = views.stream()
                .filter(view -> view.state().isWaiting())
                .map(OrderView::number)
                .collect(Collectors.toSet());
        Set<Integer> held = new HashSet<>(before);
        held.retainAll(after);
        held.retainAll(waiting);
        after.removeAll(waiting);
        return new Report(waiting.size(), held.size(), after, views);
    }

    private Set<Integer> holders() {
        return threads.holders().stream()
                .filter(Orders::isOrder)
                .map(Orders::numberOf)
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
