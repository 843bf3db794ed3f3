package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagBuilder;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Steps that are sub-workflows. */
class SubWorkflowTest {
    private static final Dag INNER = Dag.workflow("inner")
            .sleep("nap", Duration.ofSeconds(5))
            .task("work", "echo")
            .input("$.input.x")
            .after("nap")
            .build();

    private static DagBuilder outer() {
        return Dag.workflow("outer").subWorkflow("sub", "inner").input(Map.of("x", "$.input.y"));
    }

    private static DagRun sub(DagScenario scenario) {
        return scenario.find(scenario.dormouse()
                .list(ListOptions.ALL.withWorkflowIdPrefix("outer-1/sub/"))
                .runs()
                .get(0)
                .workflowId());
    }

    @Test
    void resultOfAnotherDagIsTheOutput() {
        Dag dag = outer().task("then", "log")
                .input("$.steps.sub.work")
                .after("sub")
                .build();
        try (DagScenario scenario = DagScenario.of(dag, INNER)) {
            assertThat(DagScenario.result(scenario.start("outer", Map.of("y", 42))))
                    .isEqualTo(Map.of("then", 42));
            assertThat(scenario.log()).containsExactly("5000 42");
            assertThat(sub(scenario).state().dag()).isEqualTo("inner");
        }
    }

    @Test
    void javaWorkflowCanBeASubWorkflow() {
        Dag dag = Dag.workflow("outer")
                .subWorkflowType("sub", "greet")
                .input("$.input.name")
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.workflow("greet", String.class, String.class, (ctx, name) -> "hello " + name),
                dag)) {
            assertThat(DagScenario.result(scenario.start("outer", Map.of("name", "ada"))))
                    .isEqualTo(Map.of("sub", "hello ada"));
        }
    }

    @Test
    void failureOfASubWorkflowIsTheStepsFailure() {
        Dag failing = Dag.workflow("inner").task("work", "fail").build();
        try (DagScenario scenario = DagScenario.of(outer().build(), failing)) {
            DagRun run = scenario.start("outer", Map.of("y", 1));
            assertThatThrownBy(() -> DagScenario.result(run))
                    .hasMessageContaining("step 'sub' failed")
                    .hasMessageContaining("outer-1/sub");
        }
    }

    @Test
    void subWorkflowThatTakesTooLongIsCancelled() {
        try (DagScenario scenario =
                DagScenario.of(outer().timeout(Duration.ofSeconds(2)).build(), INNER)) {
            DagRun run = scenario.start("outer", Map.of("y", 1));
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("within PT2S");
            scenario.advance(Duration.ofSeconds(1));
            assertThat(sub(scenario).handle().describe().status()).isIn(RunStatus.CANCELLED, RunStatus.TERMINATED);
        }
    }

    @Test
    void dagRegisteredLaterUnblocksWaitingRuns() {
        try (DagScenario scenario = DagScenario.of(outer().build())) {
            DagRun run = scenario.start("outer", Map.of("y", 1));
            scenario.advance(Duration.ofSeconds(5));
            assertThat(run.handle().describe().status().isClosed()).isFalse();
            scenario.dags().register(INNER);
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("sub", Map.of("work", 1)));
        }
    }

    @Test
    void secondRunOfAWorkflowIdHasItsOwnSubWorkflow() {
        Dag single = Dag.workflow("outer")
                .singleton()
                .subWorkflow("sub", "inner")
                .input(Map.of("x", "$.input.y"))
                .build();
        try (DagScenario scenario = DagScenario.of(single, INNER)) {
            assertThat(DagScenario.result(scenario.dags().start("outer", Map.of("y", 1))))
                    .isEqualTo(Map.of("sub", Map.of("work", 1)));
            assertThat(DagScenario.result(scenario.dags().start("outer", Map.of("y", 2))))
                    .isEqualTo(Map.of("sub", Map.of("work", 2)));
        }
    }
}
