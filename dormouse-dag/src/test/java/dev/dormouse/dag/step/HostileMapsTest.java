package dev.dormouse.dag.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.dag.Dag;
import dev.dormouse.dag.DagRun;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.model.StepStatus;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RefusalAssertions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Maps over values that are not arrays, conditions on unusual values, outputs without a value, DAGs that start
 * themselves.
 */
class HostileMapsTest {
    private static final Dag EACH =
            Dag.workflow("d").map("m", "echo", "$.input.list").build();

    private static Object mapped(Dag dag, Object list) {
        try (DagScenario scenario = DagScenario.of(dag)) {
            return DagScenario.result(scenario.start("d", Collections.singletonMap("list", list)))
                    .get("m");
        }
    }

    @Test
    void itemsOfAllKindsComeBackInOrder() {
        for (List<?> list : List.of(
                List.of(),
                Arrays.asList(null, null),
                Arrays.asList(1, "1", true, null, List.of(), Map.of(), List.of(List.of()), "$.input", "", 1.5),
                IntStream.range(0, 1_000).boxed().toList())) {
            assertThat(mapped(EACH, list)).isEqualTo(list);
        }
    }

    @Test
    void valueThatIsNotAnArrayFailsTheStep() {
        for (Object list : Arrays.asList(null, "abc", 1, true, Map.of(), Map.of("0", "a"))) {
            DagScenario.play(EACH, scenario -> {
                DagRun run = scenario.start("d", Collections.singletonMap("list", list));
                assertThat(RefusalAssertions.refused("" + list, () -> DagScenario.result(run)))
                        .hasMessageContaining("step 'm' failed")
                        .hasMessageContaining("$.input.list");
            });
        }
    }

    @Test
    void moreItemsThanTheLimitFailTheStepBeforeTheFirst() {
        Dag dag = Dag.workflow("d").map("m", "log", "$.input.list").limit(3).build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("list", List.of(1, 2, 3, 4)));
            assertThat(RefusalAssertions.refused("", () -> DagScenario.result(run)))
                    .hasMessageContaining("step 'm' failed");
            assertThat(scenario.log()).isEmpty();
            assertThat(DagScenario.result(scenario.dags().start("d", "fits", Map.of("list", List.of(1, 2, 3)))))
                    .isEqualTo(Map.of("m", List.of(1, 2, 3)));
        });
    }

    @Test
    void orderStaysWhateverTheParallelism() {
        List<Integer> list = IntStream.range(0, 50).boxed().toList();
        for (int parallelism : new int[] {1, 2, 7, 50, 1_000}) {
            Dag dag = Dag.workflow("d")
                    .map("m", "echo", "$.input.list")
                    .parallelism(parallelism)
                    .input(List.of("$.index", "$.item"))
                    .build();
            List<Object> expected = new ArrayList<>();
            list.forEach(i -> expected.add(List.of(i, i)));
            assertThat(mapped(dag, list)).isEqualTo(expected);
        }
    }

    @Test
    void oneItemThatFailsFailsTheMap() {
        Dag dag = Dag.workflow("d")
                .map("m", "double", "$.input.list")
                .task("after", "log")
                .after("m")
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", Map.of("list", List.of(1, 2, "three", 4)));
            assertThat(RefusalAssertions.refused("", () -> DagScenario.result(run)))
                    .hasMessageContaining("step 'm' failed");
            assertThat(run.state().step("after").status()).isEqualTo(StepStatus.SKIPPED);
            assertThat(scenario.log()).isEmpty();
        });
    }

    @Test
    void conditionsKnowKindsAndNumbers() {
        Object[][] same = {
            {1, 1.0},
            {1.0, 1},
            {0.0, -0.0},
            {"a", "a"},
            {null, null},
            {List.of(1), List.of(1.0)},
            {Map.of("a", 1, "b", 2), Map.of("b", 2, "a", 1)},
            {100, 1e2}
        };
        Object[][] different = {
            {1, "1"},
            {1, true},
            {"", null},
            {List.of(), Map.of()},
            {List.of(1, 2), List.of(2, 1)},
            {"a", "A"},
            {Map.of("a", 1), Map.of()},
            {false, 0},
            {9007199254740993L, 9007199254740992L}
        };
        for (Object[] pair : same) {
            assertThat(holds(Condition.at("$.input.x").is(pair[0]), pair[1]))
                    .as("%s %s", pair)
                    .isTrue();
            assertThat(holds(Condition.at("$.input.x").isNot(pair[0]), pair[1]))
                    .as("%s %s", pair)
                    .isFalse();
            assertThat(holds(Condition.at("$.input.x").isIn(Arrays.asList(pair[0], 77)), pair[1]))
                    .isTrue();
        }
        for (Object[] pair : different) {
            assertThat(holds(Condition.at("$.input.x").is(pair[0]), pair[1]))
                    .as("%s %s", pair)
                    .isFalse();
            assertThat(holds(Condition.not(Condition.at("$.input.x").is(pair[0])), pair[1]))
                    .isTrue();
        }
        assertThat(holds(Condition.at("$.input.x").isAbove(9007199254740992L), 9007199254740993L))
                .isTrue();
        assertThat(holds(Condition.at("$.input.x").isAtLeast(1.0), 1)).isTrue();
        assertThat(holds(Condition.at("$.input.x").isBelow(0.1), 0.1)).isFalse();
        assertThat(holds(Condition.at("$.input.x").exists(), null)).isTrue();
        assertThat(holds(Condition.at("$.input.y").isMissing(), 1)).isTrue();
    }

    private static boolean holds(Condition condition, Object value) {
        Dag dag = Dag.workflow("d").task("a", "log").input(1).skipIf(condition).build();
        try (DagScenario scenario = DagScenario.of(dag)) {
            DagRun run = scenario.start("d", Collections.singletonMap("x", value));
            DagScenario.result(run);
            return run.state().step("a").status() == StepStatus.SKIPPED;
        }
    }

    @Test
    void comparisonsOfNonNumbersFailTheStep() {
        for (Object value : Arrays.asList("1", null, true, List.of(1), Map.of())) {
            RefusalAssertions.refused(
                    "" + value, () -> holds(Condition.at("$.input.x").isAbove(0), value));
        }
    }

    @Test
    void missingOutputPathFailsTheRunAndIsNamed() {
        Dag dag = Dag.workflow("d")
                .task("a", "echo")
                .input(1)
                .output(Map.of("x", "$.steps.a.b.c"))
                .build();
        DagScenario.play(dag, scenario -> {
            DagRun run = scenario.start("d", null);
            assertThat(RefusalAssertions.refused("", () -> run.result(Duration.ofDays(1))))
                    .hasMessageContaining("$.steps.a.b.c");
            assertThat(run.handle().describe().status().isClosed()).isTrue();
        });
    }

    @Test
    void outputOfASkippedOrHandledStepIsWhatTheDefinitionSays() {
        Dag dag = Dag.workflow("d")
                .task("skipped", "echo")
                .skipIf(Condition.at("$.input.x").exists())
                .task("bad", "fail")
                .onFailure("good")
                .task("good", "echo")
                .input("instead of $.failure.step")
                .output(Arrays.asList("$.steps.skipped", "$.steps.bad", "$.steps.skipped.x?"))
                .build();
        DagScenario.play(
                dag,
                scenario -> assertThat(scenario.start("d", Map.of("x", 1)).result(Duration.ofDays(1)))
                        .isEqualTo(Arrays.asList(null, "instead of $.failure.step", null)));
    }

    @Test
    void dagThatStartsOthersAlwaysOneLevelDeeperEnds() {
        Dag dag = Dag.workflow("d")
                .task("less", "double")
                .input("$.input.n")
                .subWorkflow("self", "d")
                .input(Map.of("n", "$.steps.less"))
                .after("less")
                .skipIf(Condition.at("$.steps.less").isAbove(1_000))
                .output(Arrays.asList("$.steps.less", "$.steps.self"))
                .build();
        DagScenario.play(dag, scenario -> {
            Object result = scenario.start("d", Map.of("n", 1)).result(Duration.ofDays(1));
            assertThat(String.valueOf(result)).startsWith("[2, [4, [8, [16").contains("1024, null");
        });
    }

    @Test
    void subWorkflowsOfAllNamesCanBeStarted() {
        for (String name : List.of("a b", "日本", "Ä", "x".repeat(100), "a.b-c_d e")) {
            Dag inner = Dag.workflow(name).task("a", "echo").input("$.input").build();
            Dag outer = Dag.workflow("d").subWorkflow("s", name).input(7).build();
            try (DagScenario scenario = DagScenario.of(inner, outer)) {
                assertThat(DagScenario.result(scenario.start("d", null))).isEqualTo(Map.of("s", Map.of("a", 7)));
            }
        }
    }

    @Test
    void subWorkflowsOfRunsWithOddIdsCanBeStarted() {
        Dag inner = Dag.workflow("i").task("a", "echo").input("$.input").build();
        Dag outer = Dag.workflow("d")
                .subWorkflow("s" + "y".repeat(99), "i")
                .input(7)
                .output(1)
                .build();
        for (String id : List.of("a/b", "a:b", "ü 😀", "x".repeat(200), "'\"")) {
            try (DagScenario scenario = DagScenario.of(inner, outer)) {
                RefusalAssertions.succeedsOrIsRefused(
                        id, () -> scenario.dags().start("d", id, null).result(Duration.ofDays(1)));
            }
        }
    }
}
