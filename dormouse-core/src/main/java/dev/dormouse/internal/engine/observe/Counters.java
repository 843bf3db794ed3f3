package dev.dormouse.internal.engine.observe;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.page.Lateness;
import dev.dormouse.store.page.TallyCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The counts of this node since it began. Thread-safe, and made for many threads that count at the same time. */
public final class Counters {
    private final LongAdder started = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder steps = new LongAdder();
    private final LongAdder fired = new LongAdder();
    private final LongAdder takeovers = new LongAdder();
    private final LongAdder[] lateness = new LongAdder[Lateness.BUCKETS];

    public Counters() {
        Arrays.setAll(lateness, bucket -> new LongAdder());
    }

    void started() {
        started.increment();
    }

    void closed(RunStatus status) {
        switch (status) {
            case COMPLETED -> completed.increment();
            case FAILED, TIMED_OUT -> failed.increment();
            default -> closed.increment();
        }
    }

    void step() {
        steps.increment();
    }

    void fired(Duration late) {
        fired.increment();
        lateness[Lateness.bucket(late)].increment();
    }

    void takenOver() {
        takeovers.increment();
    }

    public long takeovers() {
        return takeovers.sum();
    }

    public TallyCounts sum() {
        List<Long> late = new ArrayList<>(lateness.length);
        for (LongAdder bucket : lateness) {
            late.add(bucket.sum());
        }
        return new TallyCounts(
                started.sum(),
                completed.sum(),
                failed.sum(),
                closed.sum(),
                steps.sum(),
                fired.sum(),
                takeovers.sum(),
                late);
    }
}
