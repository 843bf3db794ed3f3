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
 * The state of a node's contact with its store. It keeps the store's time, and holds takeovers back while the store may
 * have been away. It requests a renewal of all leases when the store stops answering or its clock was set.
 *
 * <p>Thread-safe: every thread that talks to the store reports here. The renewal loop waits at {@link #renewGate()}. A
 * request during a renewal is served in the loop's next turn, because the gate stays open.
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

    /** Updates the clock and the takeover guard from an answer of the store; see {@link StoreClock#observe}. */
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
     * Records a failed call of the store. Only a store that did not answer counts as away: if it answers with an error,
     * other nodes may be able to renew their leases.
     */
    void stalled(StoreException problem) {
        if (problem.code() == ErrorCode.STORE_UNAVAILABLE && guard.stalled()) {
            renewNow();
        }
    }

    /** Records that the store's clock was set and that this has not been handled yet. */
    public void clockWasSet() {
        clockWasSet.set(true);
    }

    /** Returns true if the store's clock was set since the last call, and resets that. */
    public boolean takeClockWasSet() {
        return clockWasSet.getAndSet(false);
    }

    /** Asks the renewal loop to renew all leases now. */
    public void renewNow() {
        renewNow.set(true);
        renewGate.open();
    }

    /** Returns true if a renewal of all leases was requested, and resets the request. */
    public boolean takeRenewNow() {
        return renewNow.getAndSet(false);
    }

    /** Returns the gate at which the renewal loop waits. */
    public Gate renewGate() {
        return renewGate;
    }
}
