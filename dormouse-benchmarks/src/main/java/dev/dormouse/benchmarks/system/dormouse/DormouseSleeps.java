package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowContext;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.SleepEngine;
import java.time.Duration;
import java.time.Instant;

/** Dormouse sleeps. A sleep and its lateness count from the workflow's current time. */
final class DormouseSleeps implements SleepEngine {
    private static final String TYPE = "sleep";

    private final Dormouse dormouse;

    private DormouseSleeps(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseSleeps open(BenchDatabase database) {
        return new DormouseSleeps(Dormouse.builder()
                .store(database.url())
                .workflow(TYPE, Long.class, Long.class, DormouseSleeps::sleep)
                .open());
    }

    private static Long sleep(WorkflowContext context, Long millis) {
        Instant due = context.now().plusMillis(millis);
        context.sleep(Duration.ofMillis(millis));
        return Duration.between(due, Instant.now()).toNanos();
    }

    @Override
    public Duration sleep(String id, Duration time) {
        Long nanos = dormouse.start(TYPE, id, Long.class, time.toMillis()).result();
        if (nanos == null) {
            throw new IllegalStateException("Expected a result of " + id + ", but it has none.");
        }
        return Duration.ofNanos(nanos);
    }

    @Override
    public void close() {
        dormouse.close();
    }
}
