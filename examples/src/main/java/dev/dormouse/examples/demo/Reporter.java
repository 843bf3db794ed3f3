package dev.dormouse.examples.demo;

import dev.dormouse.Dormouse;
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

/** Tells the parent how things stand, several times a second. */
final class Reporter implements AutoCloseable {
    private static final int INTERVAL_IN_MILLIS = 200;
    private static final Duration ON_ITS_WAY_OUT = Duration.ofSeconds(1);

    private final OrderReader orders;
    private final HeldThreads threads;
    private final Witness witness;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private boolean hasTrouble;

    Reporter(Dormouse dormouse, HeldThreads threads, Witness witness) {
        this.orders = new OrderReader(dormouse);
        this.threads = threads;
        this.witness = witness;
    }

    void start() {
        var unused = timer.scheduleWithFixedDelay(this::report, 0, INTERVAL_IN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void report() {
        try {
            Worker.say(Wire.Word.REPORT, now());
            hasTrouble = false;
        } catch (DormouseException problem) {
            if (!hasTrouble) { // or else it is known
                Worker.say(Wire.Word.SAY, "The store does not answer: " + problem.getMessage());
            }
            hasTrouble = true;
        }
    }

    /**
     * A run counts as waiting and holding a thread if it held one before and after the store said that it waits; unless it
     * has just begun to, and its code is on its way out.
     */
    private Report now() {
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
        return new Report(waiting.size(), held.size(), after, witness.take(), views);
    }

    private static Set<Integer> numbers(List<OrderView> views, Predicate<OrderView> which) {
        return views.stream().filter(which).map(OrderView::number).collect(Collectors.toCollection(HashSet::new));
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
