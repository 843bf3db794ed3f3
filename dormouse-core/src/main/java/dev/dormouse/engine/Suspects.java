package dev.dormouse.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs whose node died more than once while they executed. One of them takes its process down each time, the others were
 * only there; so one at a time executes here, and the next when it is over or has lived for a lease period. Thread-safe.
 */
final class Suspects {
    private final Threads threads;
    private final Duration proof;
    private @Nullable RunExecution watched;
    private long since;

    Suspects(Threads threads, Duration leasePeriod) {
        this.threads = threads;
        this.proof = leasePeriod;
    }

    /** Whether this one may execute now. */
    synchronized boolean admit(RunExecution run) {
        long now = threads.nanoTime();
        if (watched != null && now - since < proof.toNanos()) {
            return false;
        }
        watched = run;
        since = now;
        return true;
    }

    synchronized void leave(RunExecution run) {
        if (watched == run) {
            watched = null;
        }
    }
}
