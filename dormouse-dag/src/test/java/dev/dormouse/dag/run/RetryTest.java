package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Retrying a failed run. */
class RetryTest {
    @Test
    void stepsWithSubWorkflowsMapsAndApprovalsAreReplayed() {
        AtomicInteger calls = new AtomicInteger();
        Dag sub = Dag.workflow("sub").task("x", "echo").input("s").build();
        Dag dag = Dag.workflow("d")
                .runTimeout(Duration.ofDays(10))
                .cancelOn("stop", Map.of())
                .subWorkflow("sub", "sub")
                .map("m", "echo", "$.input")
                .sleep("nap", Duration.ofHours(1))
                .task("flaky", "flaky")
                .after("sub", "m", "nap")
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("flaky", Object.class, Object.class, input -> {
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return "ok";
                }),
                dag,
                sub)) {
            DagRun run = scenario.start("d", List.of(1, 2, 3));
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("not yet");
            run.handle().retry();
            assertThat(DagScenario.result(scenario.find("d-1"))).isEqualTo(Map.of("flaky", "ok"));
        }
    }
}
