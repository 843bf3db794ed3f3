package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.StartOptions;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Stored definitions, their versions, and the run that a start returns. */
class DagsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Dag version(int version, String word) {
        return Dag.workflow("d")
                .version(version)
                .sleep("nap", Duration.ofHours(1))
                .task("say", "log")
                .input(word)
                .after("nap")
                .build();
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    // ---- versions

    @Test
    void runKeepsItsVersionAndTheNextStartTakesTheLatest() {
        try (DagScenario scenario = DagScenario.of(version(1, "one"))) {
            DagRun old = scenario.dags().start("d", "old", null);
            scenario.advance(SECOND);
            scenario.dags().register(version(2, "two"));
            DagRun young = scenario.dags().start("d", "young", null);
            scenario.crash();
            assertThat(DagScenario.result(scenario.find("old"))).isEqualTo(Map.of("say", "one"));
            assertThat(DagScenario.result(scenario.find("young"))).isEqualTo(Map.of("say", "two"));
            assertThat(scenario.find("old").state().version()).isEqualTo(1);
            assertThat(scenario.find("young").handle().describe().memo()).containsEntry("dag.version", "2");
        }
    }

    @Test
    void versionNeverChanges() {
        try (DagScenario scenario = DagScenario.of(version(1, "one"))) {
            scenario.dags().register(version(1, "one"));
            refused(ErrorCode.DAG_CHANGED, () -> scenario.dags().register(version(1, "other")));
            assertThat(scenario.dags().find("d")).contains(version(1, "one"));
        }
    }

    @Test
    void lowerVersionThatComesLaterIsNotTheLatest() {
        try (DagScenario scenario = DagScenario.of(version(3, "three"))) {
            scenario.dags().register(version(2, "two"));
            assertThat(scenario.dags().find("d")).contains(version(3, "three"));
            assertThat(scenario.dags().find("d", 2)).contains(version(2, "two"));
            assertThat(scenario.dags().find("d", 1)).isEmpty();
            assertThat(scenario.dags().find("d", 0)).isEmpty();
            assertThat(scenario.dags().find("e")).isEmpty();
            assertThat(scenario.dags().list()).containsExactly(version(3, "three"));
        }
    }

    @Test
    void definitionsSurviveARestart() {
        try (DagScenario scenario = DagScenario.of()) {
            scenario.dags().register(version(1, "one"));
            scenario.crash();
            assertThat(DagScenario.result(scenario.dags().start("d", "x", null)))
                    .isEqualTo(Map.of("say", "one"));
        }
    }

    @Test
    void unknownDagIsRefused() {
        try (DagScenario scenario = DagScenario.of()) {
            refused(ErrorCode.DAG_NOT_FOUND, () -> scenario.dags().start("d", "x", null));
            refused(ErrorCode.DAG_NOT_FOUND, () -> scenario.dags().start("d", null));
        }
        refused(ErrorCode.DORMOUSE_CLOSED, () -> Dags.of().find("d"));
    }

    // ---- idempotency keys and singletons

    @Test
    void sameIdempotencyKeyReturnsTheSameRun() {
        Dag dag = Dag.workflow("d")
                .idempotencyKey("$.input.order.id")
                .task("say", "log")
                .input("$.input.order.id")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun one = scenario.dags().start("d", Map.of("order", Map.of("id", 17)));
            DagRun again = scenario.dags().start("d", Map.of("order", Map.of("id", 17)));
            DagRun other = scenario.dags().start("d", Map.of("order", Map.of("id", "x")));
            DagScenario.result(one);
            DagScenario.result(other);
            DagRun later = scenario.dags().start("d", Map.of("order", Map.of("id", 17)));
            assertThat(again.handle().runId()).isEqualTo(one.handle().runId());
            assertThat(later.handle().runId()).isEqualTo(one.handle().runId());
            assertThat(one.workflowId()).isEqualTo("d/17");
            assertThat(scenario.log()).containsExactlyInAnyOrder("0 17", "0 x");
            refused(ErrorCode.DAG_DATA, () -> scenario.dags().start("d", Map.of()));
            refused(ErrorCode.DAG_DATA, () -> scenario.dags().start("d", null));
            refused(ErrorCode.DAG_DATA, () -> scenario.dags().start("d", Map.of("order", Map.of("id", Map.of()))));
            refused(ErrorCode.BAD_ARGUMENT, () -> scenario.dags().start("d", "my-id", Map.of()));
        });
    }

    @Test
    void singletonHasOneRunAtATime() {
        Dag dag = Dag.workflow("d").singleton().sleep("nap", SECOND).build();
        DagScenario.play(dag, scenario -> {
            DagRun one = scenario.dags().start("d", null);
            DagRun again = scenario.dags().start("d", null);
            assertThat(again.handle().runId()).isEqualTo(one.handle().runId());
            DagScenario.result(one);
            DagRun next = scenario.dags().start("d", null);
            assertThat(next.handle().runId()).isNotEqualTo(one.handle().runId());
            DagScenario.result(next);
            refused(ErrorCode.BAD_ARGUMENT, () -> scenario.dags().start("d", "my-id", null));
        });
    }

    @Test
    void startWithoutAnIdHasANewOne() {
        Dag dag = Dag.workflow("d").task("say", "log").input("x").build();
        DagScenario.play(dag, scenario -> {
            DagRun one = scenario.dags().start("d", null);
            DagRun two = scenario.dags().start("d", null);
            assertThat(one.workflowId()).isNotEqualTo(two.workflowId()).startsWith("d/");
        });
    }

    @Test
    void startOptionsAreApplied() {
        Dag dag = Dag.workflow("d").task("say", "log").input("x").build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.dags()
                    .start(
                            "d",
                            "late",
                            StartOptions.DEFAULT.withStartDelay(SECOND).withMemo("who", "ada"),
                            null);
            assertThat(run.state().steps()).isEmpty();
            DagScenario.result(run);
            assertThat(scenario.log()).containsExactly("1000 x");
            assertThat(run.handle().describe().memo()).containsEntry("who", "ada");
        });
    }

    // ---- cancelOn

    @Test
    void eventCancelsARunAndNoOther() {
        Dag dag = Dag.workflow("d")
                .cancelOn("order.cancelled", Map.of("id", "$.input.id"))
                .sleep("nap", Duration.ofDays(1))
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun one = scenario.dags().start("d", "one", Map.of("id", 1));
            DagRun two = scenario.dags().start("d", "two", Map.of("id", 2));
            scenario.advance(SECOND);
            scenario.dormouse().publish("order.cancelled", Map.of("id", 1));
            scenario.advance(SECOND);
            assertThat(one.handle().describe().status()).isEqualTo(RunStatus.CANCELLED);
            assertThat(one.state().step("nap").status()).isEqualTo(StepStatus.CANCELLED);
            assertThat(two.state().step("nap").status()).isEqualTo(StepStatus.SLEEPING);
            DagScenario.result(two);
            scenario.dormouse().publish("order.cancelled", Map.of("id", 2));
            scenario.advance(SECOND);
            assertThat(two.handle().describe().status()).isEqualTo(RunStatus.COMPLETED);
        });
    }

    @Test
    void cancelOnEventIsReceivedAfterACrash() {
        Dag dag = Dag.workflow("d")
                .cancelOn("stop", Map.of())
                .sleep("nap", Duration.ofDays(1))
                .build();
        DagScenario.play(dag, scenario -> {
            scenario.dags().start("d", "one", null);
            scenario.advance(SECOND);
            scenario.crash();
            scenario.dormouse().publish("stop", null);
            scenario.advance(SECOND);
            assertThat(scenario.find("one").handle().describe().status()).isEqualTo(RunStatus.CANCELLED);
        });
    }

    // ---- data

    @Test
    void stepGetsTheInputAndTheOutputsOfItsPredecessors() {
        Dag dag = Dag.workflow("d")
                .task("a", "echo")
                .input(1)
                .task("b", "echo")
                .input(2)
                .task("c", "echo")
                .after("a", "b")
                .task("e", "echo")
                .input(Map.of("list", List.of("$.steps.a", "$.steps.c.steps.b", "$$.not.a.path")))
                .after("c")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("x", 1));
            assertThat(DagScenario.result(run)).isEqualTo(Map.of("e", Map.of("list", List.of(1, 2, "$.not.a.path"))));
            assertThat(run.state().step("c").output())
                    .contains(Map.of("input", Map.of("x", 1), "steps", Map.of("a", 1, "b", 2)));
        });
    }

    @Test
    void runReturnsItsOutputTemplate() {
        Dag dag = Dag.workflow("d")
                .output(Map.of("sum", "$.steps.a", "of", "$.input.x"))
                .task("a", "double")
                .input("$.input.x")
                .task("b", "echo")
                .after("a")
                .build();
        DagScenario.play(dag, scenario -> {
            assertThat(DagScenario.result(scenario.start("d", Map.of("x", 4)))).isEqualTo(Map.of("sum", 8, "of", 4));
        });
    }
}
