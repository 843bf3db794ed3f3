package dev.dormouse.benchmarks.load;

import dev.dormouse.internal.thread.JvmThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that execute the same code in parallel; virtual ones if the runtime has them. Thread-safe. Only the first
 * failure is kept.
 */
public final class ParallelThreads implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final JvmThreads threads = new JvmThreads();
    private final AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
    private final CountDownLatch left;

    private ParallelThreads(int size) {
        this.left = new CountDownLatch(size);
    }

    /** Starts {@code size} threads that each execute {@code body} once. */
    public static ParallelThreads of(int size, Body body) {
        ParallelThreads crowd = new ParallelThreads(size);
        for (int i = 0; i < size; i++) {
            int number = i;
            crowd.threads.startCode("bench", () -> crowd.play(body, number));
        }
        return crowd;
    }

    /**
     * Executes {@code body} once for each number below {@code numbers}, on {@code threads} threads, and waits for the
     * end.
     */
    public static void each(int threads, int numbers, Body body) throws Exception {
        AtomicInteger next = new AtomicInteger();
        try (ParallelThreads crowd = of(Math.min(threads, numbers), thread -> {
            for (int number = next.getAndIncrement(); number < numbers; number = next.getAndIncrement()) {
                body.act(number);
            }
        })) {
            crowd.await();
        }
    }

    private void play(Body body, int number) {
        try {
            body.act(number);
        } catch (Throwable e) {
            problem.compareAndSet(null, e);
        } finally {
            left.countDown();
        }
    }

    /** Returns true if one of the threads has failed. */
    public boolean hasFailed() {
        return problem.get() != null;
    }

    /** Waits until all threads are done, with a time limit. Throws the first failure. */
    public void await() throws Exception {
        if (!left.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(
                    "Expected the work to be done, but " + left.getCount() + " threads wait on.");
        }
        Throwable thrown = problem.get();
        if (thrown != null) {
            throw new IllegalStateException("Expected the work to be done, but: " + thrown, thrown);
        }
    }

    @Override
    public void close() {
        threads.close();
    }

    /** The code of one thread. */
    @FunctionalInterface
    public interface Body {
        void act(int number) throws Exception;
    }
}
