package dev.dormouse.benchmarks.jmh;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.history.Event;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The replay of a whole history, from the first line of the code to the last event. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ReplayBenchmark {
    private static final String TYPE = "steps";
    private static final String ID = "long";

    @Param({"10", "1000", "10000"})
    public int steps;

    private UUID runId = new UUID(0, 0);
    private List<Event> history = List.of();

    @Setup
    public void record() {
        try (Dormouse dormouse = builder().store("sqlite::memory:").open()) {
            WorkflowHandle<String> handle = dormouse.start(TYPE, ID, String.class, steps);
            handle.result();
            runId = handle.runId();
            history = RunAccess.of(handle).events();
        }
    }

    private static DormouseBuilder builder() {
        return Dormouse.builder()
                .workflow(TYPE, Durability.BATCHED, Integer.class, String.class, ReplayBenchmark::steps);
    }

    private static String steps(WorkflowContext context, int number) {
        String last = "";
        for (int i = 0; i < number; i++) {
            last = context.step("step", String.class, () -> "done");
        }
        return last;
    }

    @Benchmark
    public void replay() {
        ConfigurationAccess.replay(builder(), ID, runId, history);
    }
}
