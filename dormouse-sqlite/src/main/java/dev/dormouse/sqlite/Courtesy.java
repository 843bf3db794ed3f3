package dev.dormouse.sqlite;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Leaves the file's write lock to others now and then. SQLite has no queue for it: a user's connection asks again at
 * intervals, up to a tenth of a second long, and while one batch of ours follows the other, it would find the lock
 * taken each time until it gives up. So after a while without a gap between batches, one is made: a long while as long
 * as nobody else was met, a short one from then on. For one thread at a time.
 */
final class Courtesy {
    static final long LONG_WHILE = Duration.ofMillis(100).toNanos();
    static final long SHORT_WHILE = Duration.ofMillis(10).toNanos();
    static final long GAP = Duration.ofMillis(1).toNanos();

    private final LongSupplier nanoTime;
    private final LongConsumer pause;
    private boolean isShared;
    private long lastGap;
    private long lastEnd;

    /**
     * @param pause lets so many nanoseconds pass
     */
    Courtesy(LongSupplier nanoTime, LongConsumer pause) {
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.lastGap = nanoTime.getAsLong();
        this.lastEnd = lastGap;
    }

    /** To be called before the lock is asked for; waits if there was no gap for a while. */
    void before() {
        long now = nanoTime.getAsLong();
        if (now - lastEnd >= GAP) {
            lastGap = now;
        } else if (now - lastGap >= (isShared ? SHORT_WHILE : LONG_WHILE)) {
            pause.accept(GAP);
            lastGap = nanoTime.getAsLong();
        }
    }

    /** Somebody else was found to hold the lock. */
    void met() {
        isShared = true;
    }

    /** To be called when the lock was given up. */
    void after() {
        lastEnd = nanoTime.getAsLong();
    }
}
