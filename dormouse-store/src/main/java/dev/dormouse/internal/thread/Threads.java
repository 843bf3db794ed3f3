package dev.dormouse.internal.thread;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The threads, waits and elapsed time of the engine. A simulation provides its own implementation, which runs one
 * thread at a time and lets hours pass at once.
 *
 * <p>Implementations are thread-safe. Engine code holds no lock while it waits at a {@link Gate} or calls the store.
 */
public interface Threads {
    /** The {@link #accuracy} of a clock that is never wrong. */
    long EXACT = Long.MAX_VALUE;

    /** Starts a thread of the engine itself. There are only a few. */
    void startEngine(String name, Runnable body);

    /**
     * Starts a thread for workflow code or a step, a virtual thread if the runtime has them.
     *
     * @throws RejectedExecutionException if no thread can be created or this was closed
     */
    void startCode(String name, Runnable body);

    /** Executes the body of a step on the calling thread. A simulation may let it block without stopping the others. */
    default <T> T callStep(Callable<T> body) throws Exception {
        return body.call();
    }

    /** Returns a new, closed gate. */
    Gate newGate();

    /** Returns a monotonic time to measure durations, like {@link System#nanoTime()}. */
    long nanoTime();

    /** Returns the accuracy of {@link #nanoTime}: it drifts by at most one part in this number. */
    default long accuracy() {
        return 10_000; // worse than any healthy clock
    }

    /** Returns the time of this machine's clock, or null if there is none. The engine decides nothing by it. */
    default @Nullable Instant wallTime() {
        return null;
    }

    /**
     * Returns a new future that any thread may wait for, even by its own methods. A step that waits for it lends its
     * place.
     */
    default <T> CompletableFuture<T> newFuture() {
        return new AwaitedFuture<>();
    }

    /** Waits for a future. May be called by any thread, including threads of the user. */
    default <T> T join(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(Nanos.of(atMost), TimeUnit.NANOSECONDS);
    }

    /** Blocks the calling thread forever, because it executes code that cannot be ended. Never returns. */
    default void waitForGood() {
        Gate closed = newGate();
        while (true) {
            closed.pass();
        }
    }

    /** Closes this: no more threads are started, and running threads continue. */
    default void close() {}
}
