package dev.dormouse.engine;

import java.time.Duration;

/**
 * Whether this node may take runs over whose lease has expired.
 *
 * <p>Not after the store was away or its clock was set: then every lease may have expired at once, while those who hold
 * them live and are about to renew them. So it waits for a lease period from the first answer on. And not after this
 * node itself stood still: then its own leases have expired too, and come first.
 *
 * <p>Thread-safe.
 */
final class TakeoverGuard {
    private static final int RENEWALS_MISSED = 2;

    private final Threads threads;
    private final Duration leasePeriod;
    private boolean stalled;
    private boolean held;
    private long heldUntil;
    private long lastRenewal;

    TakeoverGuard(Threads threads, Duration leasePeriod) {
        this.threads = threads;
        this.leasePeriod = leasePeriod;
        this.lastRenewal = threads.nanoTime();
    }

    /** How often leases are renewed. */
    Duration renewPeriod() {
        return leasePeriod.dividedBy(3);
    }

    /** The store did not answer, or its clock was set. Tells whether that is news. */
    synchronized boolean stalled() {
        boolean news = !stalled;
        stalled = true;
        return news;
    }

    /** The store has answered. */
    synchronized void answered() {
        if (stalled) {
            stalled = false;
            held = true;
            heldUntil = threads.nanoTime() + leasePeriod.toNanos();
        }
    }

    /** This node has renewed its leases, or had none to renew. */
    synchronized void renewed() {
        lastRenewal = threads.nanoTime();
    }

    synchronized boolean mayTakeOver() {
        long now = threads.nanoTime();
        held &= now - heldUntil < 0;
        return !stalled
                && !held
                && now - lastRenewal < RENEWALS_MISSED * renewPeriod().toNanos();
    }

    /** When to ask again, where the answer was no. */
    synchronized Duration askAgainIn() {
        long left = held ? heldUntil - threads.nanoTime() : 0;
        return left > 0 ? Duration.ofNanos(left) : renewPeriod();
    }
}
