package dev.dormouse.dag.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Failed steps, the steps that they block, and their onFailure steps. */
class FailureTest {

    private static StepStatus status(DagRun run, String step) {
        return run.state().step(step).status();
    }

    @Test
    void failedStepSkipsItsSuccessorsAndNothingElse() {
        Dag dag = Dag.workflow("d")
                .task("bad", "fail")
                .task("after", "log")
                .after("bad")
                .task("afterThat", "log")
                .after("after")
                .task("beside", "log")
                .input("beside")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run))
                    .isInstanceOf(WorkflowFailedException.class)
                    .hasMessageContaining("DM3024")
                    .hasMessageContaining("step 'bad' failed")
                    .hasMessageContaining("no");
            assertThat(status(run, "bad")).isEqualTo(StepStatus.FAILED);
            assertThat(status(run, "after")).isEqualTo(StepStatus.SKIPPED);
            assertThat(run.state().step("after").note()).isEqualTo("'bad' is FAILED");
            assertThat(status(run, "afterThat")).isEqualTo(StepStatus.SKIPPED);
            assertThat(status(run, "beside")).isEqualTo(StepStatus.COMPLETED);
            assertThat(scenario.log()).containsExactly("0 beside");
        });
    }

    @Test
    void onFailureStepReplacesTheFailedStep() {
        Dag dag = Dag.workflow("d")
                .task("bad", "fail")
                .onFailure("instead")
                .task("instead", "echo")
                .input(Map.of("id", 7, "why", "$.failure.message", "of", "$.failure.step", "in", "$.input.x"))
                .task("after", "log")
                .input("$.steps.bad.id")
                .after("bad")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("x", 1));
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("after", 7));
            assertThat(status(run, "bad")).isEqualTo(StepStatus.HANDLED);
            assertThat(status(run, "instead")).isEqualTo(StepStatus.COMPLETED);
            assertThat(run.state().step("bad").failure()).contains("no");
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void failedOnFailureStepHandlesNothing() {
        Dag dag = Dag.workflow("d")
                .task("bad", "fail")
                .onFailure("worse")
                .task("worse", "fail")
                .task("after", "log")
                .after("bad")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run))
                    .hasMessageContaining("step 'bad' failed")
                    .hasMessageContaining("step 'worse' failed");
            assertThat(status(run, "after")).isEqualTo(StepStatus.SKIPPED);
        });
    }

    @Test
    void stepIsRetriedByItsPolicy() {
        AtomicInteger calls = new AtomicInteger();
        Dag dag = Dag.workflow("d")
                .task("flaky", "flaky")
                .retry(RetryPolicy.DEFAULT.withMaxAttempts(3))
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("flaky", Object.class, Integer.class, input -> {
                    if (calls.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return calls.get();
                }),
                dag)) {
            assertThat(DagScenario.result(scenario.start("d", null))).isEqualTo(Map.of("flaky", 3));
            assertThat(scenario.test().elapsed()).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    void failedRunCanBeRetriedFromItsFailedStep() {
        AtomicInteger calls = new AtomicInteger();
        Dag dag = Dag.workflow("d")
                .task("first", "log")
                .input("first")
                .task("flaky", "flaky")
                .after("first")
                .build();
        try (DagScenario scenario = DagScenario.with(
                builder -> builder.activity("flaky", Object.class, Integer.class, input -> {
                    if (calls.incrementAndGet() < 2) {
                        throw new IllegalStateException("not yet");
                    }
                    return calls.get();
                }),
                dag)) {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run)).isInstanceOf(WorkflowFailedException.class);
            run.handle().retry();
            assertThat(DagScenario.result(scenario.find("d-1"))).isEqualTo(Map.of("flaky", 2));
            assertThat(scenario.log()).containsExactly("0 first");
        }
    }

    @Test
    void conditionSkipsAStepAndItsSuccessorsContinue() {
        Dag dag = Dag.workflow("d")
                .task("price", "echo")
                .input(Map.of("total", "$.input.total"))
                .task("check", "log")
                .input("check")
                .after("price")
                .skipIf(Condition.at("$.steps.price.total").isBelow(100))
                .task("ship", "log")
                .input("ship")
                .after("check")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun cheap = scenario.dags().start("d", "cheap", Map.of("total", 99.5));
            DagScenario.result(cheap);
            assertThat(scenario.log()).containsExactly("0 ship");
            assertThat(status(cheap, "check")).isEqualTo(StepStatus.SKIPPED);
            DagScenario.result(scenario.dags().start("d", "dear", Map.of("total", 100)));
            assertThat(scenario.log()).containsExactly("0 ship", "0 check", "0 ship");
        });
    }

    @Test
    void outputOfASkippedStepIsNull() {
        Dag dag = Dag.workflow("d")
                .task("maybe", "echo")
                .skipIf(Condition.at("$.input.skip").is(true))
                .task("whole", "log")
                .input("$.steps.maybe")
                .after("maybe")
                .task("part", "log")
                .input("$.steps.maybe.x")
                .after("maybe")
                .task("perhaps", "log")
                .input("$.steps.maybe.x?")
                .after("maybe")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("skip", true));
            assertThatThrownBy(() -> DagScenario.result(run))
                    .hasMessageContaining("step 'part' failed")
                    .hasMessageContaining("Expected a value at $.steps.maybe.x, but $.steps.maybe is null");
            assertThat(scenario.log()).containsExactly("0 null", "0 null");
        });
    }

    @Test
    void conditionWithoutAValueFailsTheStep() {
        Dag dag = Dag.workflow("d")
                .task("a", "log")
                .skipIf(Condition.at("$.input.total").isAbove(3))
                .build();
        DagScenario.play(dag, scenario -> {
            assertThatThrownBy(() -> DagScenario.result(scenario.dags().start("d", "text", Map.of("total", "4"))))
                    .hasMessageContaining("Expected a number at $.input.total");
            assertThatThrownBy(() -> DagScenario.result(scenario.dags().start("d", "none", Map.of())))
                    .hasMessageContaining("$.input has no 'total'");
            assertThat(scenario.log()).isEmpty();
        });
    }

    @Test
    void timedOutStepFails() {
        Dag dag = Dag.workflow("d")
                .task("slow", "fail")
                .retry(RetryPolicy.DEFAULT)
                .timeout(Duration.ofSeconds(10))
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThatThrownBy(() -> DagScenario.result(run)).hasMessageContaining("step 'slow' failed");
            assertThat(scenario.test().elapsed()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        });
    }

    @Test
    void unregisteredActivityBlocksTheRunUntilANodeRegistersIt() {
        Dag dag = Dag.workflow("d").task("a", "unheard.of").build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            scenario.advance(Duration.ofSeconds(5));
            assertThat(run.handle().describe().status()).isEqualTo(RunStatus.STUCK);
            assertThat(run.handle().describe().trouble()).contains("DM1010").contains("unheard.of");
        });
    }
}
