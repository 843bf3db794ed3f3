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
 * The runs in this node's memory, and how much room there is for more. A place is reserved before a run is started or
 * claimed, so that a node never holds more than it can execute. Thread-safe.
 */
public final class RunTable {
    private static final int KEPT_FOR_STARTS = 8;

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

    /** Called whenever a place became free. */
    public void onRoom(Runnable listener) {
        onRoom.add(listener);
    }

    /** Reserves a place for a new run. */
    public synchronized boolean reserveForStart() {
        return reserve(1, maxExecuting) == 1;
    }

    /** Reserves up to this many places for runs that are due; some are left to those that start meanwhile. */
    public synchronized int reserveForClaim(int atMost) {
        return reserve(atMost, maxExecuting - maxExecuting / KEPT_FOR_STARTS);
    }

    /** Reserves a place for a run that had one here, even if that is one more than there is room for. */
    public synchronized void reserveAgain() {
        executing++;
    }

    public synchronized boolean hasRoomForClaim() {
        return !closing && executing < maxExecuting - maxExecuting / KEPT_FOR_STARTS;
    }

    private int reserve(int atMost, int limit) {
        int granted = closing ? 0 : Math.max(0, Math.min(atMost, limit - executing));
        executing += granted;
        return granted;
    }

    /** No more places are given, and every run is asked to leave, also one that comes in late. */
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

    /** A run that executes goes to wait in memory, if there is room. */
    boolean tryPark() {
        return tryPark(maxParked);
    }

    /** The same for one that only may have to go on soon: it leaves room to those that will. */
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

    /** A run that was parked executes again, even if that is one more than there is room for. */
    synchronized void unpark() {
        parked--;
        executing++;
    }

    /** Lends the place of a run whose step waits for other runs, unless as many as can execute have done so. */
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

    /** Returns how many places can be lent at a time. */
    int maxLent() {
        return maxExecuting;
    }

    /** Ends a loan: the run executes again, even if that is one more than there is room for. */
    synchronized void takeBack() {
        lent--;
        executing++;
    }

    /** Enters a run; what was there under its id is given back. */
    synchronized @Nullable LocalRun put(LocalRun run) {
        if (closing) {
            run.close();
        }
        return runs.put(run.runId(), run);
    }

    public synchronized void remove(LocalRun run) {
        runs.remove(run.runId(), run);
    }

    /** The run is closed: whoever looks for it from now on finds its end in the store. */
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

    /** How many execute; places that are only reserved, as many as a claim may bring, do not count. */
    public synchronized int executing() {
        return Math.max(0, Math.min(executing + lent, runs.size() - parked));
    }

    public synchronized int parked() {
        return parked;
    }

    /** Whether a place is reserved for a run that is not here yet. */
    public synchronized boolean expectsMore() {
        return executing + parked + lent > runs.size();
    }

    /** Whether no run executes or waits here, and none is about to. */
    public synchronized boolean isEmpty() {
        return executing + parked + lent == 0;
    }
}
