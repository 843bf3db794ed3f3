package dev.dormouse.internal.thread;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A gate on real threads. No opening is missed: the waiting thread publishes itself before it reads the flag, and the
 * opening thread sets the flag before it reads the waiting thread.
 */
final class JvmGate implements Gate {
    private static final Duration UNLIMITED = Duration.ofDays(100_000);

    private volatile boolean open;
    private volatile @Nullable Thread waiter;

    @Override
    public void open() {
        open = true;
        LockSupport.unpark(waiter);
    }

    /** Waits without a time limit. Virtual threads need no timer then, which would cost as much as the wake-up. */
    @Override
    public void pass() {
        boolean interrupted = false;
        waiter = Thread.currentThread();
        while (!open) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        leave(interrupted);
    }

    @Override
    public boolean pass(Duration atMost) {
        long end = System.nanoTime() + nanos(atMost);
        boolean interrupted = false;
        waiter = Thread.currentThread();
        long left = end - System.nanoTime();
        while (!open && left > 0) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
            left = end - System.nanoTime();
        }
        return leave(interrupted);
    }

    /** Closes the gate behind a thread that has passed. Returns false if it was not open. */
    private boolean leave(boolean interrupted) {
        waiter = null;
        boolean passed = open;
        if (passed) {
            open = false;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return passed;
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(UNLIMITED) > 0 ? UNLIMITED.toNanos() : Math.max(0, duration.toNanos());
    }
}
