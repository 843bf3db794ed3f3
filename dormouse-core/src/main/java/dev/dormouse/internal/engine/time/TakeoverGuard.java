package dev.dormouse.internal.engine.time;

import dev.dormouse.internal.thread.Threads;
import java.time.Duration;

/**
 * Decides whether this node may take over runs whose lease has expired.
 *
 * <p>It may not after the store was away or its clock was set: then every lease may have expired at once, while their
 * owners live and are about to renew them. So it waits for a lease period from the store's first answer on. A connection
 * that breaks again and again does not prolong that wait, as long as the store answers within a sixth of a lease period:
 * otherwise a node with one bad connection would never take anything over. It may not after this node itself stood still
 * either: then its own leases have expired too, and come first.
 *
 * <p>Thread-safe.
 */
public final class TakeoverGuard {
    private static final int RENEWALS_MISSED = 2;
    private static final int BLIPS_PER_LEASE = 6;

    private final Threads threads;
    private final Duration leasePeriod;
    private boolean stalled;
    private long stalledSince;
    private boolean held;
    private long heldUntil;
    private long lastRenewal;

    public TakeoverGuard(Threads threads, Duration leasePeriod) {
        this.threads = threads;
        this.leasePeriod = leasePeriod;
        this.lastRenewal = threads.nanoTime();
    }

    /** How often leases are renewed. */
    public Duration renewPeriod() {
        return leasePeriod.dividedBy(3);
    }

    /** The store did not answer. Returns true if it had answered before. */
    public synchronized boolean stalled() {
        boolean news = !stalled;
        if (news) {
            stalled = true;
            stalledSince = threads.nanoTime();
        }
        return news;
    }

    /** The store has answered. */
    public synchronized void answered() {
        if (!stalled) {
            return;
        }
        stalled = false;
        boolean isBlip = threads.nanoTime() - stalledSince < leasePeriod.toNanos() / BLIPS_PER_LEASE;
        if (!isBlip || !isHeld()) {
            hold();
        }
    }

    /** Nothing is taken over for a lease period from now. */
    public synchronized void hold() {
        held = true;
        heldUntil = threads.nanoTime() + leasePeriod.toNanos();
    }

    public synchronized boolean isStalled() {
        return stalled;
    }

    synchronized boolean isHeld() {
        held &= threads.nanoTime() - heldUntil < 0;
        return held;
    }

    /** This node has renewed its leases, or had none to renew. */
    public synchronized void renewed() {
        lastRenewal = threads.nanoTime();
    }

    public synchronized boolean mayTakeOver() {
        return !stalled
                && !isHeld()
                && threads.nanoTime() - lastRenewal
                        < RENEWALS_MISSED * renewPeriod().toNanos();
    }

    /** When to ask again, where the answer was no. */
    public synchronized Duration askAgainIn() {
        long left = held ? heldUntil - threads.nanoTime() : 0;
        return left > 0 ? Duration.ofNanos(left) : renewPeriod();
    }
}
