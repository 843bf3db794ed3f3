package dev.dormouse.benchmarks.scenario;

import dev.dormouse.benchmarks.measure.Percentiles;
import dev.dormouse.benchmarks.system.Crowd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The same thing again and again, with so many at a time: each thread begins anew when it is done. Counts after a warm-up,
 * for a while; for longer where hardly anything gets done.
 */
final class Load {
    private static final int FEWEST = 3;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final int inFlight;
    private final Deed deed;
    private final String prefix = UUID.randomUUID().toString().substring(0, 8);
    private final AtomicLong next = new AtomicLong();
    private final LongAdder done = new LongAdder();
    private final List<Double> millis = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean over;
    private volatile boolean counts;

    Load(int inFlight, Deed deed) {
        this.inFlight = inFlight;
        this.deed = deed;
    }

    Outcome run(Effort effort) throws Exception {
        try (Crowd crowd = Crowd.of(inFlight, thread -> work())) {
            Pause.of(effort.warmUp());
            long before = done.sum();
            long began = System.nanoTime();
            counts = true;
            Pause.of(effort.window());
            while (done.sum() - before < FEWEST
                    && System.nanoTime() - began < LONGEST.toNanos()
                    && !crowd.hasFailed()) {
                Pause.of(Duration.ofMillis(20));
            }
            double perSecond = (done.sum() - before) / ((System.nanoTime() - began) / 1e9);
            over = true;
            crowd.await();
            return new Outcome(perSecond, new Percentiles(List.copyOf(millis)));
        }
    }

    private void work() throws Exception {
        try {
            while (!over) {
                long began = System.nanoTime();
                deed.act(prefix + "-" + next.getAndIncrement());
                done.increment();
                if (counts) {
                    millis.add((System.nanoTime() - began) / 1e6);
                }
            }
        } catch (Exception e) {
            over = true;
            throw e;
        }
    }

    /** What is done, under an id of its own. */
    @FunctionalInterface
    interface Deed {
        void act(String id) throws Exception;
    }

    /** How many per second, and how long each took. */
    record Outcome(double perSecond, Percentiles millis) {}
}
