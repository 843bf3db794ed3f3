package dev.dormouse.benchmarks.system.limit;

import dev.dormouse.benchmarks.system.Batched;
import dev.dormouse.benchmarks.system.Contender;
import dev.dormouse.benchmarks.system.Steps;
import dev.dormouse.benchmarks.system.Version;
import dev.dormouse.benchmarks.system.Workflows;
import org.postgresql.Driver;

/** No engine at all. */
public final class LimitContender {
    private LimitContender() {}

    public static Contender make() {
        return Contender.of(
                        "limit",
                        Version.of(Driver.class),
                        "no engine: Dormouse's tables and rows, written by plain JDBC in batches of what has piled up, "
                                + Writers.NUMBER + " writers")
                .with(Workflows.class, LimitWorkflows::open)
                .with(Steps.class, LimitWorkflows::open)
                .with(Batched.class, LimitBatched::open);
    }
}
