package dev.dormouse.internal.engine.context;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.Telemetry;
import dev.dormouse.internal.engine.time.StoreClock;
import dev.dormouse.internal.engine.time.TakeoverGuard;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.StoreException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A node's contact with its store: keeps the store's time, holds takeovers back while the store may have been away, and
 * asks for a renewal of all leases when it is back or its clock was set.
 *
 * <p>Thread-safe: every thread that talks to the store reports here. The renewal loop waits at {@link #renewGate()}; a
 * request that comes while it renews is taken up in its next turn.
 */
public final class StoreContact {
    private final StoreClock clock;
    private final TakeoverGuard guard;
    private final Telemetry telemetry;
    private final Gate renewGate;
    private final AtomicBoolean clockWasSet = new AtomicBoolean();
    private final AtomicBoolean renewNow = new AtomicBoolean();

    StoreContact(StoreClock clock, TakeoverGuard guard, Telemetry telemetry, Gate renewGate) {
        this.clock = clock;
        this.guard = guard;
        this.telemetry = telemetry;
        this.renewGate = renewGate;
    }

    /** Learns from an answer of the store; see {@link StoreClock#observe}. */
    void observe(Instant stamp, long sent) {
        if (clock.observe(stamp, sent)) {
            clockWasSet.set(true);
            guard.hold();
            renewNow();
        } else {
            guard.answered();
        }
        telemetry.clockSeen();
    }

    /**
     * Called when a call of the store failed. Only a store that did not answer counts as away: while one answers with an
     * error, other nodes may well renew their leases.
     */
    void stalled(StoreException problem) {
        if (problem.code() == ErrorCode.STORE_UNAVAILABLE && guard.stalled()) {
            renewNow();
        }
    }

    /** Records that the store's clock was set, and that nothing was done about it yet. */
    public void clockWasSet() {
        clockWasSet.set(true);
    }

    /** Returns true if the store's clock was set since this was asked for the last time. */
    public boolean takeClockWasSet() {
        return clockWasSet.getAndSet(false);
    }

    /** Asks the renewal loop to renew all leases now. */
    public void renewNow() {
        renewNow.set(true);
        renewGate.open();
    }

    /** Returns true if all leases are to be renewed now, and takes the request. */
    public boolean takeRenewNow() {
        return renewNow.getAndSet(false);
    }

    /** The gate at which the renewal loop waits. */
    public Gate renewGate() {
        return renewGate;
    }
}
