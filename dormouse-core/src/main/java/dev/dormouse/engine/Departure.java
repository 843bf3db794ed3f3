package dev.dormouse.engine;

import dev.dormouse.store.Commit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** How runs leave a node that closes: by themselves at their next pause, or after a while without their code. */
final class Departure {
    private static final Duration RELEASE_TIME = Duration.ofSeconds(5);

    private final Engine engine;

    Departure(Engine engine) {
        this.engine = engine;
    }

    /** Gives running code time to come to a pause, then gives up what leases are left, so that others go on at once. */
    void letRunsLeave() {
        Gate left = engine.threads().newGate();
        engine.table().onRoom(left::open);
        engine.table().close();
        long end = engine.threads().nanoTime() + engine.settings().closeGrace().toNanos();
        long remaining = end - engine.threads().nanoTime();
        while (!engine.table().isEmpty() && remaining > 0) {
            left.pass(Duration.ofNanos(remaining));
            remaining = end - engine.threads().nanoTime();
        }
        release(engine.table().all(run -> true));
    }

    /** Gives leases up from outside; the runs' code may still be in steps, but commits nothing more. */
    private void release(List<RunExecution> runs) {
        AtomicInteger onTheirWay = new AtomicInteger(1);
        Gate released = engine.threads().newGate();
        for (RunExecution run : runs) {
            Commit release = run.release();
            if (release != null) {
                onTheirWay.incrementAndGet();
                engine.writers(run.shard()).submit(release, outcome -> {
                    engine.ring(run.shard(), run.lane(), engine.clock().latest());
                    countDown(onTheirWay, released);
                });
            }
            run.stop();
        }
        countDown(onTheirWay, released);
        released.pass(RELEASE_TIME);
    }

    private static void countDown(AtomicInteger left, Gate done) {
        if (left.decrementAndGet() == 0) {
            done.open();
        }
    }
}
