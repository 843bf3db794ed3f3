package dev.dormouse.benchmarks.load;

import dev.dormouse.engine.JvmThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Many threads that do the same, virtual ones where there are such. */
public final class Crowd implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final JvmThreads threads = new JvmThreads();
    private final AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
    private final CountDownLatch left;

    private Crowd(int size) {
        this.left = new CountDownLatch(size);
    }

    /** So many threads that each do this once. */
    public static Crowd of(int size, Body body) {
        Crowd crowd = new Crowd(size);
        for (int i = 0; i < size; i++) {
            int number = i;
            crowd.threads.startCode("bench", () -> crowd.play(body, number));
        }
        return crowd;
    }

    /** Does this once for each number below, on so many threads, and waits. */
    public static void each(int threads, int numbers, Body body) throws Exception {
        AtomicInteger next = new AtomicInteger();
        try (Crowd crowd = of(Math.min(threads, numbers), thread -> {
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

    /** Whether one of them has failed. */
    public boolean hasFailed() {
        return problem.get() != null;
    }

    /** Waits until all are done, but not for ever; throws what the first of them threw. */
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

    /** What one of them does. */
    @FunctionalInterface
    public interface Body {
        void act(int number) throws Exception;
    }
}
