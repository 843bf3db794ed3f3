package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.StartOptions;
import dev.dormouse.dag.support.DagScenario;
import dev.dormouse.dag.support.RandomDag;
import dev.dormouse.dag.support.RefusalAssertions;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Starts with unusual ids, inputs and names. */
class HostileStartsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Dag ECHO =
            Dag.workflow("d").task("a", "echo").input("$.input").build();

    @Test
    void oddWorkflowIdsRunOrAreRefused() {
        DagScenario.play(ECHO, scenario -> {
            for (String id : RefusalAssertions.ODD) {
                RefusalAssertions.succeedsOrIsRefused("id " + id, () -> {
                    DagRun run = scenario.dags().start("d", id, 7);
                    assertThat(run.workflowId()).isEqualTo(id);
                    assertThat(DagScenario.result(run)).isEqualTo(Map.of("a", 7));
                    assertThat(scenario.find(id).state().step("a").output()).contains(7);
                });
                RefusalAssertions.succeedsOrIsRefused(
                        "find " + id, () -> scenario.dags().run(id));
            }
            RefusalAssertions.refused("null id", () -> scenario.dags().start("d", null, 7));
            RefusalAssertions.refused("null id", () -> scenario.dags().run(null));
        });
    }

    @Test
    void oddNamesAreUnknown() {
        DagScenario.play(ECHO, scenario -> {
            for (String name : RefusalAssertions.ODD) {
                RefusalAssertions.refused(
                        ErrorCode.DAG_NOT_FOUND, () -> scenario.dags().start(name, "x", 7));
                RefusalAssertions.refused(
                        ErrorCode.DAG_NOT_FOUND, () -> scenario.dags().start(name, (Object) 7));
                assertThat(scenario.dags().find(name)).isEmpty();
                assertThat(scenario.dags().find(name, 1)).isEmpty();
            }
            RefusalAssertions.refused("null", () -> scenario.dags().start(null, "x", 7));
            RefusalAssertions.refused("null", () -> scenario.dags().find(null));
            RefusalAssertions.refused("null", () -> scenario.dags().find(null, 1));
            RefusalAssertions.refused("null", () -> scenario.dags().register((Dag) null));
            RefusalAssertions.refused("null", () -> scenario.dags().start("d", "x", (StartOptions) null, 7));
            assertThat(scenario.dags().find("d", 0)).isEmpty();
            assertThat(scenario.dags().find("d", -1)).isEmpty();
            assertThat(scenario.dags().find("d", Integer.MAX_VALUE)).isEmpty();
            assertThat(scenario.dags().run("nobody")).isEmpty();
        });
    }

    @Test
    void namesOfDagsWithAllThatIsAllowedRun() {
        for (String name : List.of("a.b-c_d e", "日本", "Ä", "1", "x".repeat(100))) {
            Dag dag = Dag.workflow(name).task("a", "echo").input("$.input").build();
            try (DagScenario scenario = DagScenario.of(dag)) {
                assertThat(DagScenario.result(scenario.dags().start(name, "id", 7)))
                        .isEqualTo(Map.of("a", 7));
                assertThat(scenario.dags().list()).containsExactly(dag);
                assertThat(scenario.find("id").state().dag()).isEqualTo(name);
                assertThat(scenario.find("id").toMermaid()).contains("COMPLETED");
            }
        }
    }

    @Test
    void inputsOfAllKindsArrive() {
        DagScenario.play(ECHO, scenario -> {
            int number = 0;
            for (Object input : Arrays.asList(
                    "",
                    "text",
                    "$.input",
                    "\u0000",
                    "😀",
                    0,
                    1.5,
                    Long.MAX_VALUE,
                    true,
                    List.of(),
                    Map.of(),
                    Arrays.asList(1, null, List.of(Map.of("", List.of()))),
                    Collections.singletonMap("k", null),
                    "x".repeat(1_000_000))) {
                assertThat(DagScenario.result(scenario.dags().start("d", "n" + number++, input)))
                        .isEqualTo(Map.of("a", input));
            }
            assertThat(DagScenario.result(scenario.dags().start("d", "none", null)))
                    .isEqualTo(Collections.singletonMap("a", null));
        });
    }

    @Test
    void inputsThatAreNotJsonAreRefused() {
        DagScenario.play(ECHO, scenario -> {
            Map<String, Object> itself = new HashMap<>();
            itself.put("me", itself);
            for (Object input : List.of(itself, List.of(itself), new Object[] {itself})) {
                RefusalAssertions.refused(
                        input.getClass().toString(), () -> scenario.dags().start("d", "bad", input));
            }
            assertThat(scenario.dags().run("bad")).isEmpty();
        });
    }

    @Test
    void inputsThatAreTooLargeAreRefused() {
        DagScenario.play(ECHO, scenario -> {
            RefusalAssertions.refused(
                    ErrorCode.PAYLOAD_TOO_LARGE, () -> scenario.dags().start("d", "large", "x".repeat(3_000_000)));
            assertThat(scenario.dags().run("large")).isEmpty();
        });
    }

    @Test
    void missingPathsAreErrorsThatNameThePath() {
        for (String path : List.of(
                "$.input.a",
                "$.input.a.b",
                "$.input[0]",
                "$.input['a b']",
                "$.input.list[3]",
                "$.input.list.x",
                "$.input.text.length",
                "$.input.none.x")) {
            Dag dag = Dag.workflow("d").task("a", "echo").input(List.of(path)).build();
            DagScenario.play(dag, scenario -> {
                Map<String, Object> input = new HashMap<>(Map.of("list", List.of(1, 2, 3), "text", "abc"));
                input.put("none", null);
                DagRun run = scenario.dags().start("d", "x", input);
                assertThat(RefusalAssertions.refused(path, () -> DagScenario.result(run)))
                        .hasMessageContaining(path);
            });
        }
    }

    @Test
    void optionalPathsWithoutAValueAreNull() {
        for (String path :
                List.of("$.input.a?", "$.input.a.b.c?", "$.input[0]?", "$.input.list[3]?", "$.input.text.x?")) {
            Dag dag = Dag.workflow("d").task("a", "echo").input(path).build();
            DagScenario.play(dag, scenario -> {
                DagRun run = scenario.dags().start("d", "x", Map.of("list", List.of(), "text", "abc"));
                assertThat(DagScenario.result(run)).isEqualTo(Collections.singletonMap("a", null));
            });
        }
    }

    @Test
    void idempotencyKeysOfAllKindsMeanOneRunOrAreRefused() {
        Dag dag = Dag.workflow("d")
                .idempotencyKey("$.input.k")
                .task("a", "log")
                .input("$.input.k")
                .build();
        DagScenario.play(dag, scenario -> {
            int runs = 0;
            for (Object key : Arrays.asList("a", "b/c", "ü 😀", 1, "x".repeat(200), "", " ", "\n", true, 1.5)) {
                int before = runs;
                RefusalAssertions.succeedsOrIsRefused("key " + key, () -> {
                    DagRun one = scenario.dags().start("d", Map.of("k", key));
                    DagRun two = scenario.dags().start("d", Map.of("k", key));
                    assertThat(two.workflowId()).isEqualTo(one.workflowId());
                    DagScenario.result(one);
                });
                runs = scenario.log().size();
                assertThat(runs - before).isLessThanOrEqualTo(1);
            }
            for (Object bad : Arrays.asList(null, List.of(), Map.of(), List.of("a"), "x".repeat(100_000))) {
                RefusalAssertions.refused(
                        "key " + bad, () -> scenario.dags().start("d", Collections.singletonMap("k", bad)));
            }
            RefusalAssertions.refused("no key", () -> scenario.dags().start("d", Map.of()));
            RefusalAssertions.refused("no input", () -> scenario.dags().start("d", (Object) null));
            RefusalAssertions.refused("no map", () -> scenario.dags().start("d", "text"));
            RefusalAssertions.refused(
                    ErrorCode.BAD_ARGUMENT, () -> scenario.dags().start("d", "id", Map.of("k", 1)));
        });
    }

    @Test
    void singletonHasOneRunAtATime() {
        Dag dag = Dag.workflow("s").singleton().sleep("a", Duration.ofHours(1)).build();
        DagScenario.play(dag, scenario -> {
            DagRun one = scenario.dags().start("s", (Object) 1);
            DagRun two = scenario.dags().start("s", (Object) 2);
            assertThat(two.handle().runId()).isEqualTo(one.handle().runId());
            DagScenario.result(one);
            DagRun three = scenario.dags().start("s", (Object) 3);
            assertThat(three.handle().runId()).isNotEqualTo(one.handle().runId());
            DagScenario.result(three);
            RefusalAssertions.refused(
                    ErrorCode.BAD_ARGUMENT, () -> scenario.dags().start("s", "id", 1));
        });
    }

    @Test
    void versionsStayApart() {
        Dag one =
                Dag.workflow("v").sleep("a", Duration.ofHours(1)).output("one").build();
        Dag two = Dag.workflow("v").version(2).task("b", "echo").output("two").build();
        Dag changed = Dag.workflow("v").task("c", "echo").build();
        DagScenario.play(one, scenario -> {
            DagRun old = scenario.dags().start("v", "old", null);
            scenario.advance(SECOND);
            scenario.dags().register(two);
            scenario.dags().register(two);
            RefusalAssertions.refused(
                    ErrorCode.DAG_CHANGED, () -> scenario.dags().register(changed));
            DagRun young = scenario.dags().start("v", "young", null);
            assertThat(young.result(SECOND)).isEqualTo("two");
            scenario.crash();
            assertThat(scenario.find("old").result(Duration.ofDays(1))).isEqualTo("one");
            assertThat(scenario.find("old").state().version()).isEqualTo(1);
            assertThat(scenario.dags().find("v")).contains(two);
            assertThat(scenario.dags().find("v", 1)).contains(one);
            assertThat(scenario.dags().list()).containsExactly(two);
            assertThat(old.workflowId()).isEqualTo("old");
        });
    }

    @Test
    void olderVersionThatComesLaterIsNotTheLatest() {
        Dag one = Dag.workflow("v").task("a", "echo").output("one").build();
        Dag nine = Dag.workflow("v").version(9).task("a", "echo").output("nine").build();
        Dag ten = Dag.workflow("v").version(10).task("a", "echo").output("ten").build();
        DagScenario.play(ten, scenario -> {
            scenario.dags().register(nine);
            scenario.dags().register(one);
            assertThat(scenario.dags().find("v")).contains(ten);
            assertThat(scenario.dags().start("v", "x", null).result(SECOND)).isEqualTo("ten");
        });
    }

    @Test
    void randomDefinitionsAreStoredAsTheyAre() {
        try (DagScenario scenario = DagScenario.of()) {
            for (long seed = 0; seed < 60; seed++) {
                Dag dag = Dag.fromJson(RandomDag.of(seed)
                        .toJson()
                        .replaceFirst("\"name\" : \"[^\"]*\"", "\"name\" : \"n" + seed + "\""));
                scenario.dags().register(dag);
                scenario.dags().register(dag);
                assertThat(scenario.dags().find(dag.name())).contains(dag);
            }
            scenario.crash();
            for (long seed = 0; seed < 60; seed++) {
                Dag found = scenario.dags().find("n" + seed).orElseThrow();
                assertThat(found.toJson())
                        .isEqualTo(RandomDag.of(seed)
                                .toJson()
                                .replaceFirst("\"name\" : \"[^\"]*\"", "\"name\" : \"n" + seed + "\""));
            }
            assertThat(scenario.dags().list()).hasSize(60);
        }
    }

    @Test
    void dagsThatAreNotOpenAreRefused() {
        Dags closed = Dags.of(ECHO);
        RefusalAssertions.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.start("d", "x", 1));
        RefusalAssertions.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.find("d"));
        RefusalAssertions.refused(ErrorCode.DORMOUSE_CLOSED, closed::list);
        RefusalAssertions.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.run("x"));
        RefusalAssertions.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.register(ECHO));
    }
}
