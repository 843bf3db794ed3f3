package dev.dormouse.testing.sim;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.testing.sim.SimThread.State;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A gate at which simulated threads take turns, open or not. Needs no locks, because one simulated thread runs at a
 * time.
 */
final class SimGate implements Gate {
    /** Longer waits count as unlimited. */
    private static final Duration FOR_EVER = Duration.ofDays(100 * 365);

    private final SimNode node;
    private final SimScheduler scheduler;
    private boolean isOpen;
    private @Nullable SimThread waiting;

    SimGate(SimNode node, SimScheduler scheduler) {
        this.node = node;
        this.scheduler = scheduler;
    }

    @Override
    public void open() {
        if (scheduler.isOutside()) {
            scheduler.request(this::openNow);
            return;
        }
        SimThread opener = scheduler.running();
        if (opener != null && scheduler.isDead(scheduler.me())) {
            return;
        }
        openNow();
    }

    private void openNow() {
        isOpen = true;
        if (waiting != null) {
            scheduler.wake(waiting);
        }
    }

    @Override
    public void pass() {
        pass(FOR_EVER);
    }

    @Override
    public boolean pass(Duration atMost) {
        return scheduler.inside(() -> passInside(atMost));
    }

    private boolean passInside(Duration atMost) {
        scheduler.dieIfDead();
        node.checkAlive();
        SimThread me = scheduler.me();
        if (waiting != null) {
            throw new IllegalStateException(
                    "Expected one thread at a gate, but " + me + " came while " + waiting + " waits there.");
        }
        if (isOpen || atMost.isNegative() || atMost.isZero()) {
            scheduler.turn(State.READY);
        } else {
            await(me, atMost);
        }
        boolean wasOpen = isOpen;
        isOpen = false;
        return wasOpen;
    }

    private void await(SimThread me, Duration atMost) {
        waiting = me;
        int wait = me.waits;
        me.waitsForEver = atMost.compareTo(FOR_EVER) >= 0;
        if (!me.waitsForEver) {
            long delay = node.worldTime(atMost.toNanos());
            scheduler.timeline.plan(delay, () -> me.waits == wait, () -> scheduler.wake(me));
        }
        try {
            scheduler.turn(State.WAITING);
        } finally {
            waiting = null;
        }
    }
}
