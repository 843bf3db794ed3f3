package dev.dormouse.benchmarks.system.limit;

import dev.dormouse.benchmarks.system.BatchedEngine;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.LibraryVersion;
import dev.dormouse.benchmarks.system.StepEngine;
import dev.dormouse.benchmarks.system.WorkflowEngine;
import org.postgresql.Driver;

/** The upper limit: no engine at all. */
public final class LimitContender {
    private LimitContender() {}

    public static Contender make() {
        return Contender.of(
                        "limit",
                        LibraryVersion.of(Driver.class),
                        "no engine: Dormouse's tables and rows, written by plain JDBC in batches of what has piled up, "
                                + BatchWriters.NUMBER + " writers")
                .with(WorkflowEngine.class, LimitWorkflows::open)
                .with(StepEngine.class, LimitWorkflows::open)
                .with(BatchedEngine.class, LimitBatched::open);
    }
}
