package dev.dormouse.demo.worker;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The default threads of Dormouse, with a list of the runs that hold one: from the start of a run's code on a thread
 * until it returns. Works for platform and virtual threads, which no thread dump of the JVM shows. Thread-safe.
 */
final class HeldThreads implements Threads {
    private static final String RUN = "run ";

    private final Threads threads = new JvmThreads();
    private final Map<String, Integer> holders = new ConcurrentHashMap<>();

    /** Returns the workflow ids of the runs that hold a thread right now. */
    Set<String> holders() {
        return Set.copyOf(holders.keySet());
    }

    @Override
    public void startCode(String name, Runnable body) {
        threads.startCode(name, name.startsWith(RUN) ? () -> hold(name.substring(RUN.length()), body) : body);
    }

    private void hold(String workflowId, Runnable body) {
        holders.merge(workflowId, 1, Integer::sum);
        try {
            body.run();
        } finally {
            holders.computeIfPresent(workflowId, (id, threadsHeld) -> threadsHeld == 1 ? null : threadsHeld - 1);
        }
    }

    @Override
    public void startEngine(String name, Runnable body) {
        threads.startEngine(name, body);
    }

    @Override
    public Gate newGate() {
        return threads.newGate();
    }

    @Override
    public long nanoTime() {
        return threads.nanoTime();
    }

    @Override
    public long accuracy() {
        return threads.accuracy();
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return threads.newFuture();
    }

    @Override
    public <T> T join(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return threads.join(future, atMost);
    }

    @Override
    public void close() {
        threads.close();
    }
}
