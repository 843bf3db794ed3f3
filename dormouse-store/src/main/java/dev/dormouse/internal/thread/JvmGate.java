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

    @Override
    public void pass() {
        pass(UNLIMITED);
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
