package dev.dormouse.internal.thread;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * All threads and all waiting of the engine come through here, and so does the time that passes while it waits: a
 * simulation hands in its own, under which one thread runs at a time and hours pass in no time.
 *
 * <p>Engine code holds no lock while it waits at a {@link Gate} or talks to the store.
 */
public interface Threads {
    /** The {@link #accuracy} of a clock that is never wrong. */
    long EXACT = Long.MAX_VALUE;

    /** Starts a thread of the engine itself; there are a few of them. */
    void startEngine(String name, Runnable body);

    /**
     * Starts a thread for a workflow's code or a step: a virtual one where the runtime has them.
     *
     * @throws RejectedExecutionException when the system has no thread to give
     */
    void startCode(String name, Runnable body);

    /** A new gate, closed. */
    Gate newGate();

    /** Monotonic time for measuring how long something took, as {@link System#nanoTime()}. */
    long nanoTime();

    /** How exact {@link #nanoTime} is: it is wrong by one part in so many at most. */
    default long accuracy() {
        return 10_000; // worse than any healthy clock
    }

    /** What this machine's clock shows, which nothing is decided by; null where there is none. */
    default @Nullable Instant wallTime() {
        return null;
    }

    /** Returns a new future for any thread to wait for, also by its own methods; steps that do lend their place. */
    default <T> CompletableFuture<T> newFuture() {
        return new AwaitedFuture<>();
    }

    /** The calling thread, which may be anybody's, waits for a future. */
    default <T> T join(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(Nanos.of(atMost), TimeUnit.NANOSECONDS);
    }

    /** Lets the calling thread wait for good: it executes code that cannot be ended. Never returns. */
    default void waitForGood() {
        Gate closed = newGate();
        while (true) {
            closed.pass();
        }
    }

    /** No more threads are asked for; those that run go on. */
    default void close() {}
}
