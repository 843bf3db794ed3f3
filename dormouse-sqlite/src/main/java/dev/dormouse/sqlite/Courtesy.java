package dev.dormouse.sqlite;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Leaves the file's write lock to others now and then. SQLite has no queue for it: a user's connection asks again at
 * intervals, up to a tenth of a second long, and while one batch of ours follows the other, it would find the lock taken
 * each time until it gives up. So after a while without a gap between batches, one is made: a long while as long as nobody
 * else was met, a short one from then on. For one thread at a time.
 */
final class Courtesy {
    private static final long LONG_WHILE = Duration.ofMillis(100).toNanos();
    private static final long SHORT_WHILE = Duration.ofMillis(10).toNanos();
    private static final long GAP = Duration.ofMillis(1).toNanos();

    private boolean isShared;
    private long lastGap;
    private long lastEnd;

    /** To be called before the lock is asked for; waits if there was no gap for a while. */
    void before() {
        long now = System.nanoTime();
        if (now - lastEnd >= GAP) {
            lastGap = now;
        } else if (now - lastGap >= (isShared ? SHORT_WHILE : LONG_WHILE)) {
            LockSupport.parkNanos(GAP);
            lastGap = System.nanoTime();
        }
    }

    /** Somebody else was found to hold the lock. */
    void met() {
        isShared = true;
    }

    /** To be called when the lock was given up. */
    void after() {
        lastEnd = System.nanoTime();
    }
}
