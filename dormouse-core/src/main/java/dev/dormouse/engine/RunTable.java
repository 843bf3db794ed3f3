package dev.dormouse.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The runs in this node's memory, and how much room there is for more. A place is reserved before a run is started or
 * claimed, so that a node never holds more than it can execute. Thread-safe.
 */
final class RunTable {
    private final int maxExecuting;
    private final int maxParked;
    private final Map<UUID, RunExecution> runs = new HashMap<>();
    private Runnable onRoom = () -> {};
    private int executing;
    private int parked;

    RunTable(int maxExecuting, int maxParked) {
        this.maxExecuting = maxExecuting;
        this.maxParked = maxParked;
    }

    /** Called whenever a place became free. */
    void onRoom(Runnable listener) {
        onRoom = listener;
    }

    /** Reserves up to this many places; tells how many. */
    synchronized int reserve(int atMost) {
        int granted = Math.max(0, Math.min(atMost, maxExecuting - executing));
        executing += granted;
        return granted;
    }

    void release(int places) {
        synchronized (this) {
            executing -= places;
        }
        if (places > 0) {
            onRoom.run();
        }
    }

    /** A run that executes goes to wait in memory, if there is room. */
    boolean tryPark() {
        synchronized (this) {
            if (parked >= maxParked) {
                return false;
            }
            parked++;
            executing--;
        }
        onRoom.run();
        return true;
    }

    /** A run that was parked executes again, even if that is one more than there is room for. */
    synchronized void unpark() {
        parked--;
        executing++;
    }

    /** Enters a run; what was there under its id is given back. */
    synchronized @Nullable RunExecution put(RunExecution run) {
        return runs.put(run.runId(), run);
    }

    synchronized void remove(RunExecution run) {
        runs.remove(run.runId(), run);
    }

    synchronized @Nullable RunExecution get(UUID runId) {
        return runs.get(runId);
    }

    synchronized List<RunExecution> all(Predicate<RunExecution> which) {
        List<RunExecution> found = new ArrayList<>();
        for (RunExecution run : runs.values()) {
            if (which.test(run)) {
                found.add(run);
            }
        }
        return found;
    }

    synchronized boolean isEmpty() {
        return runs.isEmpty();
    }
}
