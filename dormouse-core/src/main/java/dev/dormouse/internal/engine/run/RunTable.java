package dev.dormouse.internal.engine.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The runs in this node's memory, and the free places for more.
 *
 * <p>A place is reserved before a run is started or claimed, so that a node does not claim more than it can execute.
 * Runs that return from parking or from a loan get a place even if none is free, so the number may exceed the limit
 * for a moment. Thread-safe; listeners are called without the lock.
 */
public final class RunTable {
    private static final int STARTS_SHARE = 8;

    private final int maxExecuting;
    private final int maxParked;
    private final Map<UUID, LocalRun> runs = new HashMap<>();
    private final List<Runnable> onRoom = new CopyOnWriteArrayList<>();
    private int executing;
    private int parked;
    private int lent;
    private boolean closing;

    public RunTable(int maxExecuting, int maxParked) {
        this.maxExecuting = maxExecuting;
        this.maxParked = maxParked;
    }

    /** Adds a listener that is called whenever a place becomes free. */
    public void onRoom(Runnable listener) {
        onRoom.add(listener);
    }

    /** Reserves a place for a new run. Returns false if there is none. */
    public synchronized boolean reserveForStart() {
        return reserve(1, maxExecuting) == 1;
    }

    /**
     * Reserves up to {@code atMost} places for due runs and returns their number. An eighth of all places is kept for
     * starts.
     */
    public synchronized int reserveForClaim(int atMost) {
        return reserve(atMost, maxExecuting - maxExecuting / STARTS_SHARE);
    }

    /** Reserves a place for a run that had one on this node, even if none is free. */
    public synchronized void reserveAgain() {
        executing++;
    }

    public synchronized boolean hasRoomForClaim() {
        return !closing && executing < maxExecuting - maxExecuting / STARTS_SHARE;
    }

    private int reserve(int atMost, int limit) {
        int granted = closing ? 0 : Math.max(0, Math.min(atMost, limit - executing));
        executing += granted;
        return granted;
    }

    /** Stops reserving places and asks every run to leave, including runs that are added later. */
    public void close() {
        List<LocalRun> leaving;
        synchronized (this) {
            closing = true;
            leaving = List.copyOf(runs.values());
        }
        leaving.forEach(LocalRun::close);
    }

    public void release(int places) {
        synchronized (this) {
            executing -= places;
        }
        if (places > 0) {
            onRoom.forEach(Runnable::run);
        }
    }

    /** Moves an executing run to the parked ones. Returns false if the limit is reached. */
    boolean tryPark() {
        return tryPark(maxParked);
    }

    /**
     * Moves an executing run to the parked ones, if fewer than half of the places for parked runs are taken. Used for
     * runs that may resume soon; the other half is kept for runs that will resume soon.
     */
    boolean tryLinger() {
        return tryPark(maxParked / 2);
    }

    private boolean tryPark(int limit) {
        synchronized (this) {
            if (parked >= limit) {
                return false;
            }
            parked++;
            executing--;
        }
        onRoom.forEach(Runnable::run);
        return true;
    }

    /** Moves a parked run back to the executing ones, even if no place is free. */
    synchronized void unpark() {
        parked--;
        executing++;
    }

    /**
     * Lends the place of a run whose step waits for other runs. Returns false if as many places are lent as runs can
     * execute.
     */
    boolean tryLend() {
        synchronized (this) {
            if (lent >= maxExecuting) {
                return false;
            }
            lent++;
            executing--;
        }
        onRoom.forEach(Runnable::run);
        return true;
    }

    /** Returns how many places can be lent at the same time. */
    int maxLent() {
        return maxExecuting;
    }

    /** Ends a loan: the run executes again, even if no place is free. */
    synchronized void takeBack() {
        lent--;
        executing++;
    }

    /** Adds a run. Returns the previous execution of the same run, or null. */
    synchronized @Nullable LocalRun put(LocalRun run) {
        if (closing) {
            run.close();
        }
        return runs.put(run.runId(), run);
    }

    public synchronized void remove(LocalRun run) {
        runs.remove(run.runId(), run);
    }

    /** Removes a closed run. Later callers find its end in the store. */
    public synchronized void remove(UUID runId) {
        runs.remove(runId);
    }

    public synchronized @Nullable LocalRun get(UUID runId) {
        return runs.get(runId);
    }

    public synchronized List<LocalRun> all(Predicate<LocalRun> which) {
        List<LocalRun> found = new ArrayList<>();
        for (LocalRun run : runs.values()) {
            if (which.test(run)) {
                found.add(run);
            }
        }
        return found;
    }

    /** Returns the number of executing runs. Places that are only reserved do not count. */
    public synchronized int executing() {
        return Math.max(0, Math.min(executing + lent, runs.size() - parked));
    }

    public synchronized int parked() {
        return parked;
    }

    /** Returns true if a place is reserved for a run that is not in the table yet. */
    public synchronized boolean expectsMore() {
        return executing + parked + lent > runs.size();
    }

    /** Returns true if no run executes or waits in memory, and no place is reserved. */
    public synchronized boolean isEmpty() {
        return executing + parked + lent == 0;
    }
}
