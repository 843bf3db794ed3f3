package dev.dormouse.internal.thread;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A gate on real threads. The waiter publishes itself before it looks, and the opener looks after it opened. */
final class JvmGate implements Gate {
    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private volatile boolean open;
    private volatile @Nullable Thread waiter;

    @Override
    public void open() {
        open = true;
        LockSupport.unpark(waiter);
    }

    @Override
    public void pass() {
        pass(FOR_EVER);
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
        return duration.compareTo(FOR_EVER) > 0 ? FOR_EVER.toNanos() : Math.max(0, duration.toNanos());
    }
}
