package dev.dormouse.engine;

import java.time.Duration;

/**
 * Whether this node may take runs over whose lease has expired. Not after the store was away or its clock was set: then
 * every lease may have expired at once, while those who hold them live. Nodes first renew, and take nothing over for one
 * renew period from then on. Thread-safe.
 */
final class TakeoverGuard {
    private final Threads threads;
    private final Duration renewPeriod;
    private boolean stalled;
    private boolean held;
    private long heldUntil;

    TakeoverGuard(Threads threads, Duration renewPeriod) {
        this.threads = threads;
        this.renewPeriod = renewPeriod;
    }

    /** The store did not answer, or its clock was set. Tells whether that is news. */
    synchronized boolean stalled() {
        boolean news = !stalled;
        stalled = true;
        return news;
    }

    /** This node has renewed its leases. */
    synchronized void renewed() {
        if (stalled) {
            stalled = false;
            held = true;
            heldUntil = threads.nanoTime() + renewPeriod.toNanos();
        }
    }

    synchronized boolean mayTakeOver() {
        held &= threads.nanoTime() - heldUntil < 0;
        return !stalled && !held;
    }

    Duration renewPeriod() {
        return renewPeriod;
    }
}
