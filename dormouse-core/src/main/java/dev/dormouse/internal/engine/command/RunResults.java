package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.thread.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The callers on this node that wait for runs to close. A result is published after the commit that closes the run,
 * so a caller never sees a result that could be lost. Thread-safe; futures are completed without the lock.
 */
public final class RunResults {
    private final Map<UUID, List<CompletableFuture<Event>>> waiting = new HashMap<>();
    private final Threads threads;
    private boolean closed;

    public RunResults(Threads threads) {
        this.threads = threads;
    }

    /** Returns a future of the closing event. It is cancelled by {@link #close}. */
    public CompletableFuture<Event> await(UUID runId) {
        CompletableFuture<Event> future = threads.newFuture();
        synchronized (this) {
            if (!closed) {
                waiting.computeIfAbsent(runId, id -> new ArrayList<>(1)).add(future);
                return future;
            }
        }
        future.cancel(false);
        return future;
    }

    /** Removes a future that is no longer needed. */
    public synchronized void forget(UUID runId, CompletableFuture<Event> future) {
        List<CompletableFuture<Event>> futures = waiting.get(runId);
        if (futures != null && futures.removeIf(other -> other == future) && futures.isEmpty()) {
            waiting.remove(runId);
        }
    }

    public void closed(UUID runId, Event closing) {
        end(runId, future -> future.complete(closing));
    }

    public void failed(UUID runId, RuntimeException problem) {
        end(runId, future -> future.completeExceptionally(problem));
    }

    private void end(UUID runId, Consumer<CompletableFuture<Event>> how) {
        List<CompletableFuture<Event>> futures;
        synchronized (this) {
            futures = waiting.remove(runId);
        }
        if (futures != null) {
            futures.forEach(how);
        }
    }

    public synchronized boolean isAwaited(UUID runId) {
        return waiting.containsKey(runId);
    }

    /** Returns the runs that callers wait for. */
    public synchronized Set<UUID> awaited() {
        return new HashSet<>(waiting.keySet());
    }

    public void close() {
        List<CompletableFuture<Event>> futures = new ArrayList<>();
        synchronized (this) {
            closed = true;
            waiting.values().forEach(futures::addAll);
            waiting.clear();
        }
        futures.forEach(future -> future.cancel(false));
    }
}
