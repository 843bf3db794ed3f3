package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.StartOptions;
import dev.dormouse.error.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Starts with odd ids, odd inputs and odd names. */
class HostileStartsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Dag ECHO =
            Dag.workflow("d").task("a", "echo").input("$.input").build();

    @Test
    void oddWorkflowIdsRunOrAreRefused() {
        DagStory.play(ECHO, story -> {
            for (String id : Sentence.ODD) {
                Sentence.goesWellOrIsRefused("id " + id, () -> {
                    DagRun run = story.dags().start("d", id, 7);
                    assertThat(run.workflowId()).isEqualTo(id);
                    assertThat(DagStory.result(run)).isEqualTo(Map.of("a", 7));
                    assertThat(story.find(id).state().step("a").output()).contains(7);
                });
                Sentence.goesWellOrIsRefused("find " + id, () -> story.dags().run(id));
            }
            Sentence.refused("null id", () -> story.dags().start("d", null, 7));
            Sentence.refused("null id", () -> story.dags().run(null));
        });
    }

    @Test
    void oddNamesAreUnknown() {
        DagStory.play(ECHO, story -> {
            for (String name : Sentence.ODD) {
                Sentence.refused(ErrorCode.DAG_NOT_FOUND, () -> story.dags().start(name, "x", 7));
                Sentence.refused(ErrorCode.DAG_NOT_FOUND, () -> story.dags().start(name, (Object) 7));
                assertThat(story.dags().find(name)).isEmpty();
                assertThat(story.dags().find(name, 1)).isEmpty();
            }
            Sentence.refused("null", () -> story.dags().start(null, "x", 7));
            Sentence.refused("null", () -> story.dags().find(null));
            Sentence.refused("null", () -> story.dags().find(null, 1));
            Sentence.refused("null", () -> story.dags().register((Dag) null));
            Sentence.refused("null", () -> story.dags().start("d", "x", (StartOptions) null, 7));
            assertThat(story.dags().find("d", 0)).isEmpty();
            assertThat(story.dags().find("d", -1)).isEmpty();
            assertThat(story.dags().find("d", Integer.MAX_VALUE)).isEmpty();
            assertThat(story.dags().run("nobody")).isEmpty();
        });
    }

    @Test
    void namesOfDagsWithAllThatIsAllowedRun() {
        for (String name : List.of("a.b-c_d e", "日本", "Ä", "1", "x".repeat(100))) {
            Dag dag = Dag.workflow(name).task("a", "echo").input("$.input").build();
            try (DagStory story = DagStory.of(dag)) {
                assertThat(DagStory.result(story.dags().start(name, "id", 7))).isEqualTo(Map.of("a", 7));
                assertThat(story.dags().list()).containsExactly(dag);
                assertThat(story.find("id").state().dag()).isEqualTo(name);
                assertThat(story.find("id").toMermaid()).contains("COMPLETED");
            }
        }
    }

    @Test
    void inputsOfAllKindsArrive() {
        DagStory.play(ECHO, story -> {
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
                assertThat(DagStory.result(story.dags().start("d", "n" + number++, input)))
                        .isEqualTo(Map.of("a", input));
            }
            assertThat(DagStory.result(story.dags().start("d", "none", null)))
                    .isEqualTo(Collections.singletonMap("a", null));
        });
    }

    @Test
    void inputsThatAreNoDataAreRefused() {
        DagStory.play(ECHO, story -> {
            Map<String, Object> itself = new HashMap<>();
            itself.put("me", itself);
            for (Object input : List.of(itself, List.of(itself), new Object[] {itself})) {
                Sentence.refused(input.getClass().toString(), () -> story.dags().start("d", "bad", input));
            }
            assertThat(story.dags().run("bad")).isEmpty();
        });
    }

    @Test
    void inputsThatAreTooLargeAreRefused() {
        DagStory.play(ECHO, story -> {
            Sentence.refused(
                    ErrorCode.PAYLOAD_TOO_LARGE, () -> story.dags().start("d", "large", "x".repeat(3_000_000)));
            assertThat(story.dags().run("large")).isEmpty();
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
            DagStory.play(dag, story -> {
                Map<String, Object> input = new HashMap<>(Map.of("list", List.of(1, 2, 3), "text", "abc"));
                input.put("none", null);
                DagRun run = story.dags().start("d", "x", input);
                assertThat(Sentence.refused(path, () -> DagStory.result(run))).hasMessageContaining(path);
            });
        }
    }

    @Test
    void pathsThatMayLeadNowhereAreNull() {
        for (String path :
                List.of("$.input.a?", "$.input.a.b.c?", "$.input[0]?", "$.input.list[3]?", "$.input.text.x?")) {
            Dag dag = Dag.workflow("d").task("a", "echo").input(path).build();
            DagStory.play(dag, story -> {
                DagRun run = story.dags().start("d", "x", Map.of("list", List.of(), "text", "abc"));
                assertThat(DagStory.result(run)).isEqualTo(Collections.singletonMap("a", null));
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
        DagStory.play(dag, story -> {
            int runs = 0;
            for (Object key : Arrays.asList("a", "b/c", "ü 😀", 1, "x".repeat(200), "", " ", "\n", true, 1.5)) {
                int before = runs;
                Sentence.goesWellOrIsRefused("key " + key, () -> {
                    DagRun one = story.dags().start("d", Map.of("k", key));
                    DagRun two = story.dags().start("d", Map.of("k", key));
                    assertThat(two.workflowId()).isEqualTo(one.workflowId());
                    DagStory.result(one);
                });
                runs = story.log().size();
                assertThat(runs - before).isLessThanOrEqualTo(1);
            }
            for (Object bad : Arrays.asList(null, List.of(), Map.of(), List.of("a"), "x".repeat(100_000))) {
                Sentence.refused("key " + bad, () -> story.dags().start("d", Collections.singletonMap("k", bad)));
            }
            Sentence.refused("no key", () -> story.dags().start("d", Map.of()));
            Sentence.refused("no input", () -> story.dags().start("d", (Object) null));
            Sentence.refused("no map", () -> story.dags().start("d", "text"));
            Sentence.refused(ErrorCode.BAD_ARGUMENT, () -> story.dags().start("d", "id", Map.of("k", 1)));
        });
    }

    @Test
    void singletonHasOneRunAtATime() {
        Dag dag = Dag.workflow("s").singleton().sleep("a", Duration.ofHours(1)).build();
        DagStory.play(dag, story -> {
            DagRun one = story.dags().start("s", (Object) 1);
            DagRun two = story.dags().start("s", (Object) 2);
            assertThat(two.handle().runId()).isEqualTo(one.handle().runId());
            DagStory.result(one);
            DagRun three = story.dags().start("s", (Object) 3);
            assertThat(three.handle().runId()).isNotEqualTo(one.handle().runId());
            DagStory.result(three);
            Sentence.refused(ErrorCode.BAD_ARGUMENT, () -> story.dags().start("s", "id", 1));
        });
    }

    @Test
    void versionsStayApart() {
        Dag one =
                Dag.workflow("v").sleep("a", Duration.ofHours(1)).output("one").build();
        Dag two = Dag.workflow("v").version(2).task("b", "echo").output("two").build();
        Dag changed = Dag.workflow("v").task("c", "echo").build();
        DagStory.play(one, story -> {
            DagRun old = story.dags().start("v", "old", null);
            story.advance(SECOND);
            story.dags().register(two);
            story.dags().register(two);
            Sentence.refused(ErrorCode.DAG_CHANGED, () -> story.dags().register(changed));
            DagRun young = story.dags().start("v", "young", null);
            assertThat(young.result(SECOND)).isEqualTo("two");
            story.crash();
            assertThat(story.find("old").result(Duration.ofDays(1))).isEqualTo("one");
            assertThat(story.find("old").state().version()).isEqualTo(1);
            assertThat(story.dags().find("v")).contains(two);
            assertThat(story.dags().find("v", 1)).contains(one);
            assertThat(story.dags().list()).containsExactly(two);
            assertThat(old.workflowId()).isEqualTo("old");
        });
    }

    @Test
    void olderVersionThatComesLaterIsNotTheLatest() {
        Dag one = Dag.workflow("v").task("a", "echo").output("one").build();
        Dag nine = Dag.workflow("v").version(9).task("a", "echo").output("nine").build();
        Dag ten = Dag.workflow("v").version(10).task("a", "echo").output("ten").build();
        DagStory.play(ten, story -> {
            story.dags().register(nine);
            story.dags().register(one);
            assertThat(story.dags().find("v")).contains(ten);
            assertThat(story.dags().start("v", "x", null).result(SECOND)).isEqualTo("ten");
        });
    }

    @Test
    void randomDefinitionsAreStoredAsTheyAre() {
        try (DagStory story = DagStory.of()) {
            for (long seed = 0; seed < 60; seed++) {
                Dag dag = Dag.fromJson(RandomDag.of(seed)
                        .toJson()
                        .replaceFirst("\"name\" : \"[^\"]*\"", "\"name\" : \"n" + seed + "\""));
                story.dags().register(dag);
                story.dags().register(dag);
                assertThat(story.dags().find(dag.name())).contains(dag);
            }
            story.crash();
            for (long seed = 0; seed < 60; seed++) {
                Dag found = story.dags().find("n" + seed).orElseThrow();
                assertThat(found.toJson())
                        .isEqualTo(RandomDag.of(seed)
                                .toJson()
                                .replaceFirst("\"name\" : \"[^\"]*\"", "\"name\" : \"n" + seed + "\""));
            }
            assertThat(story.dags().list()).hasSize(60);
        }
    }

    @Test
    void dagsThatAreNotOpenSaySo() {
        Dags closed = Dags.of(ECHO);
        Sentence.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.start("d", "x", 1));
        Sentence.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.find("d"));
        Sentence.refused(ErrorCode.DORMOUSE_CLOSED, closed::list);
        Sentence.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.run("x"));
        Sentence.refused(ErrorCode.DORMOUSE_CLOSED, () -> closed.register(ECHO));
    }
}
