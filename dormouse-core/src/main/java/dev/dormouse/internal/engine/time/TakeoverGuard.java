package dev.dormouse.internal.engine.time;

import dev.dormouse.internal.thread.Threads;
import java.time.Duration;

/**
 * The decision on whether this node may take over runs whose lease has expired. A lease may expire although its owner
 * lives, so takeovers are held back in these cases:
 *
 * <ul>
 *     <li><b>The store was away, or its clock was set.</b> All leases may have expired at once, and their owners are
 *       about to renew them. So this node waits for a lease period after the store's first answer.
 *     <li><b>This node stood still.</b> If it has not renewed its leases for two renewal periods, they may have expired
 *       too, and it renews them first.
 * </ul>
 *
 * <p>A connection that breaks repeatedly does not prolong the wait, if the store answers again within a sixth of a
 * lease period. Otherwise a node with one bad connection would never take over anything.
 *
 * <p>Thread-safe: every method is atomic, and every thread that talks to the store reports here. The answer of {@link
 * #mayTakeOver} may be outdated when a claim reaches the store. That costs at most an unnecessary takeover, never
 * correctness, because a run's commits are fenced by its lease.
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
    private volatile long renewedAt;

    public TakeoverGuard(Threads threads, Duration leasePeriod) {
        this.threads = threads;
        this.leasePeriod = leasePeriod;
        this.lastRenewal = threads.nanoTime();
        this.renewedAt = lastRenewal;
    }

    /** Returns the period in which leases are renewed: a third of the lease period. */
    public Duration renewPeriod() {
        return leasePeriod.dividedBy(3);
    }

    /** Records that the store did not answer. Returns true if it had answered before. */
    public synchronized boolean stalled() {
        boolean news = !stalled;
        if (news) {
            stalled = true;
            stalledSince = threads.nanoTime();
        }
        return news;
    }

    /** Records that the store has answered. Holds takeovers back if it had been away. */
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

    /** Holds takeovers back for a lease period from now. */
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

    /**
     * Records that this node has renewed its leases, or had none to renew.
     *
     * @param sent {@link Threads#nanoTime} before the renewal was sent
     */
    public synchronized void renewed(long sent) {
        lastRenewal = threads.nanoTime();
        renewedAt = sent;
    }

    /**
     * Returns true if a lease that was granted at {@code granted}, and is still renewed, has not expired by this node's
     * own clock. That clock stands still while the machine is suspended, so the answer is only a hint.
     */
    public boolean isWithinLease(long granted) {
        long now = threads.nanoTime();
        return now - granted < leasePeriod.toNanos() || now - renewedAt < leasePeriod.toNanos();
    }

    /** Returns true if takeovers are not held back. */
    public synchronized boolean mayTakeOver() {
        return !stalled
                && !isHeld()
                && threads.nanoTime() - lastRenewal
                        < RENEWALS_MISSED * renewPeriod().toNanos();
    }

    /** Returns the time after which to ask again, if {@link #mayTakeOver} returned false. */
    public synchronized Duration askAgainIn() {
        long left = held ? heldUntil - threads.nanoTime() : 0;
        return left > 0 ? Duration.ofNanos(left) : renewPeriod();
    }
}
