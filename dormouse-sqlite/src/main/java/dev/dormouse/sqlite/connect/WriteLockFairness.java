package dev.dormouse.sqlite.connect;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Pauses that give other connections a chance to take the file's write lock. SQLite has no queue for the lock: a user's
 * connection retries at intervals of up to 0.1 s. While one batch follows the other, that connection would find the
 * lock taken in each try until it gives up. So a gap of 1 ms is made after 100 ms of continuous writing, and after 10
 * ms once another connection has held the lock.
 *
 * <p>Not thread-safe: called only by the thread that has the turn of {@code WriteConnection}.
 */
public final class WriteLockFairness {
    static final long LONG_WHILE = Duration.ofMillis(100).toNanos();
    static final long SHORT_WHILE = Duration.ofMillis(10).toNanos();
    static final long GAP = Duration.ofMillis(1).toNanos();

    private final LongSupplier nanoTime;
    private final LongConsumer pause;
    private boolean isShared;
    private long lastGap;
    private long lastEnd;

    /**
     * @param nanoTime the clock
     * @param pause waits for the given number of nanoseconds
     */
    WriteLockFairness(LongSupplier nanoTime, LongConsumer pause) {
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.lastGap = nanoTime.getAsLong();
        this.lastEnd = lastGap;
    }

    /** Called before the lock is requested. Waits if there was no gap for some time. */
    void before() {
        long now = nanoTime.getAsLong();
        if (now - lastEnd >= GAP) {
            lastGap = now;
        } else if (now - lastGap >= (isShared ? SHORT_WHILE : LONG_WHILE)) {
            pause.accept(GAP);
            lastGap = nanoTime.getAsLong();
        }
    }

    /** Called when another connection holds the lock. */
    void met() {
        isShared = true;
    }

    /** Called after the lock was released. */
    void after() {
        lastEnd = nanoTime.getAsLong();
    }
}
