package dev.dormouse.benchmarks.load;

import dev.dormouse.benchmarks.measure.Percentiles;
import dev.dormouse.benchmarks.measure.Reading;
import dev.dormouse.benchmarks.measure.ResourceUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * A closed-loop load: a fixed number of threads repeat an operation. Counts after a warm-up, for a time window, which
 * is extended if few operations complete.
 */
public final class ClosedLoopLoad {
    private static final int FEWEST = 2;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final int inFlight;
    private final Operation operation;
    private final String prefix = UUID.randomUUID().toString().substring(0, 8);
    private final AtomicLong next = new AtomicLong();
    private final LongAdder done = new LongAdder();
    private final List<Double> millis = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean over;
    private volatile boolean counts;

    public ClosedLoopLoad(int inFlight, Operation operation) {
        this.inFlight = inFlight;
        this.operation = operation;
    }

    /** Runs the load. Reads {@code usage} at the beginning and at the end of the window. */
    public Outcome run(Duration warmUp, Duration window, Supplier<ResourceUsage> usage) throws Exception {
        try (ParallelThreads crowd = ParallelThreads.of(inFlight, thread -> work())) {
            Pause.of(warmUp);
            long beforeUsage = done.sum();
            ResourceUsage earlier = usage.get();
            long before = done.sum();
            long began = System.nanoTime();
            counts = true;
            Pause.of(window);
            while (done.sum() - before < FEWEST
                    && System.nanoTime() - began < LONGEST.toNanos()
                    && !crowd.hasFailed()) {
                Pause.of(Duration.ofMillis(20));
            }
            long after = done.sum();
            double perSecond = (after - before) / ((System.nanoTime() - began) / 1e9);
            ResourceUsage used = usage.get().since(earlier);
            over = true;
            crowd.await();
            return new Outcome(perSecond, new Percentiles(List.copyOf(millis)), done.sum(), after - beforeUsage, used);
        }
    }

    private void work() throws Exception {
        try {
            while (!over) {
                long began = System.nanoTime();
                operation.act(prefix + "-" + next.getAndIncrement());
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

    /** The operation, called with a new id each time. */
    @FunctionalInterface
    public interface Operation {
        void act(String id) throws Exception;
    }

    /**
     * The results of a load.
     *
     * @param millis the durations of the operations that count
     * @param total the number of operations, counted or not
     * @param measured the number of operations that have used {@code used}
     */
    public record Outcome(double perSecond, Percentiles millis, long total, long measured, ResourceUsage used) {

        /** Returns readings of the resources that one operation has used. */
        public List<Reading> perOperation(String name) {
            return used.perOperation(name, measured);
        }
    }
}
