package dev.dormouse.testing.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a world that execute blocking code outside of it, without the baton.
 *
 * <p><b>Concurrency.</b> Thread-safe. A thread outside changes nothing in the world. It leaves requests, which the
 * holder of the baton executes before it chooses the next thread. If all other threads wait and time stands still, the
 * world rests: no thread holds the baton, and the thread that leaves the next request takes it. The monitor makes both
 * exclusive, so no request is missed, and what the last holder wrote is visible to the next one.
 */
final class OutsideThreads {
    private final Map<Thread, SimThread> threads = new ConcurrentHashMap<>();
    private final ArrayDeque<Runnable> requests = new ArrayDeque<>();
    private boolean resting;

    /** Returns the calling thread if it is outside; null otherwise. */
    @Nullable
    SimThread caller() {
        return threads.isEmpty() ? null : threads.get(Thread.currentThread());
    }

    void add(SimThread thread) {
        threads.put(Thread.currentThread(), thread);
    }

    void remove(SimThread thread) {
        threads.values().remove(thread);
    }

    Collection<SimThread> all() {
        return List.copyOf(threads.values());
    }

    /** Leaves a request. Returns true if the world rested: then the caller holds the baton. */
    synchronized boolean leave(Runnable request) {
        requests.add(request);
        return resume();
    }

    /** Returns true if the world rested: then the caller holds the baton. */
    synchronized boolean resume() {
        boolean rested = resting;
        resting = false;
        return rested;
    }

    /** Gives the baton up. Returns false if there is a request: then the caller keeps it. */
    synchronized boolean rest() {
        resting = requests.isEmpty();
        return resting;
    }

    /** Executes all requests. For the holder of the baton. */
    void execute() {
        List<Runnable> taken;
        synchronized (this) {
            if (requests.isEmpty()) {
                return;
            }
            taken = new ArrayList<>(requests);
            requests.clear();
        }
        taken.forEach(Runnable::run);
    }
}
