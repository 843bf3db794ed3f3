package dev.dormouse.engine;

import dev.dormouse.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Who waits here for which run to close. Thread-safe. */
final class Results {
    private final Map<UUID, List<CompletableFuture<Event>>> waiting = new HashMap<>();
    private final Threads threads;
    private boolean closed;

    Results(Threads threads) {
        this.threads = threads;
    }

    /** A future of the closing event; cancelled by {@link #close}. */
    CompletableFuture<Event> await(UUID runId) {
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

    /** Nobody waits for this one any more. */
    synchronized void forget(UUID runId, CompletableFuture<Event> future) {
        List<CompletableFuture<Event>> futures = waiting.get(runId);
        if (futures != null && futures.remove(future) && futures.isEmpty()) {
            waiting.remove(runId);
        }
    }

    void closed(UUID runId, Event closing) {
        end(runId, future -> future.complete(closing));
    }

    void failed(UUID runId, RuntimeException problem) {
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

    synchronized boolean isAwaited(UUID runId) {
        return waiting.containsKey(runId);
    }

    /** The runs that somebody waits for. */
    synchronized Set<UUID> awaited() {
        return new HashSet<>(waiting.keySet());
    }

    void close() {
        List<CompletableFuture<Event>> futures = new ArrayList<>();
        synchronized (this) {
            closed = true;
            waiting.values().forEach(futures::addAll);
            waiting.clear();
        }
        futures.forEach(future -> future.cancel(false));
    }
}
