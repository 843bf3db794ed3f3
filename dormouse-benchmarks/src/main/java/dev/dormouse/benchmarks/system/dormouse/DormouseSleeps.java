package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowContext;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Sleeps;
import java.time.Duration;
import java.time.Instant;

/** A sleep counts from the workflow's now, and so does its lateness. */
final class DormouseSleeps implements Sleeps {
    private static final String TYPE = "sleep";

    private final Dormouse dormouse;

    private DormouseSleeps(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseSleeps open(Database database) {
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
